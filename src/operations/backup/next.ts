import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const readBackup = defineOperation({
  name: "backup.next",
  summary: "Read the next lines of a backup.",
  kind: "reads",
  waits: true,
  callers: "operator",
  input: z.strictObject({ id }),
  output: z.strictObject({ lines: z.array(z.string()), damaged: z.array(z.string()), done: z.boolean() }),
  byHand: { command: "backup" },
  async run({ backups }, args) {
    const page = await (await backups?.made())?.next(args.id);
    if (page === undefined)
      throw new ToolError("not_found", "This backup is no longer in progress. Start it again.");
    return page;
  },
});
