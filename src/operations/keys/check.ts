import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { keyView, readKeyView } from "./view.ts";

export const checkKey = defineOperation({
  name: "keys.check",
  summary: "Check whether a key is accepted now; exit status 1 if it is not.",
  kind: "reads",
  callers: "operator",
  input: z.strictObject({ key: z.string().max(200) }),
  output: z.strictObject({
    valid: z.boolean(),
    /** The error code with which a call would be refused. */
    code: z
      .enum(["malformed_key", "unknown_key", "expired_key", "revoked_key", "account_disabled"])
      .optional(),
    key: keyView.optional(),
  }),
  command: {
    options: {
      key: {
        text: "The key or its id; - reads it from standard input, to keep it out of the shell history",
        positional: true,
        secret: true,
      },
    },
    examples: ["penknife admin keys check - < key.txt"],
    record: ({ valid, code, key }) => ({ valid, ...(code && { code }), ...key }),
    status: ({ valid }) => (valid ? 0 : 1),
  },
  async run(context, { key }) {
    const { record, ...verdict } = await context.keys.check(key);
    return { ...verdict, ...(record && { key: await readKeyView(context, record) }) };
  },
});
