import { z } from "zod";
import { requireSeen } from "../../services/access/incarnation.ts";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { keyView, readKeyView } from "./view.ts";

export const showKey = defineOperation({
  name: "keys.show",
  summary: "Show the record of a key.",
  kind: "reads",
  callers: "owner",
  subject: { kind: "key", field: "id" },
  input: z.strictObject({ id }),
  output: keyView,
  command: {},
  graphql: { name: "key", text: "One key, by its id.", returns: "Key" },
  run: async (context, args, { owner }) =>
    readKeyView(context, requireSeen(await context.keys.get(args.id), owner)),
});
