import { z } from "zod";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const endBackup = defineOperation({
  name: "backup.end",
  summary: "End a backup.",
  kind: "reads",
  waits: true,
  callers: "operator",
  input: z.strictObject({ id }),
  output: z.void(),
  run: async ({ backups }, args) => (await backups?.made())?.end(args.id),
});
