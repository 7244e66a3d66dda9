import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import type { BackupHeader } from "../../services/transfer/backup-lines.ts";
import { defineOperation } from "../operation.ts";

export const beginBackup = defineOperation({
  name: "backup.begin",
  summary: "Begin a backup of everything in the store.",
  kind: "reads",
  waits: true,
  callers: "operator",
  input: z.strictObject({}),
  output: z.strictObject({
    id: z.string(),
    header: z.strictObject({
      penknife: z.literal("backup"),
      v: z.custom<BackupHeader["v"]>((value) => typeof value === "number"),
      release: z.string(),
      createdAt: z.string(),
      driver: z.string(),
    }),
  }),
  byHand: { command: "backup" },
  async run({ flushUsage, backups }) {
    await flushUsage?.();
    if (backups === undefined) throw new ToolError("not_found", "This store cannot be backed up.");
    return (await backups()).begin();
  },
});
