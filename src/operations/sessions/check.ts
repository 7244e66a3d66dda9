import { z } from "zod";
import type { ErrorCode } from "../../catalog/errors.ts";
import { code } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const checkCode = defineOperation({
  name: "sessions.check",
  summary: "Check what a one-time code signs in to, or why it is refused.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({ code }),
  output: z.discriminatedUnion("valid", [
    z.strictObject({ valid: z.literal(true), id: z.string(), account: z.string().nullable() }),
    z.strictObject({ valid: z.literal(false), code: z.custom<ErrorCode>(isText), message: z.string() }),
  ]),
  async run({ sessions }, args) {
    const checked = await sessions.checkCode(args.code);
    return "hash" in checked
      ? { valid: true as const, id: checked.id, account: checked.account ?? null }
      : { valid: false as const, ...checked };
  },
});

function isText(value: unknown): boolean {
  return typeof value === "string";
}
