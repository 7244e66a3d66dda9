import { z } from "zod";
import { name } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const login = defineOperation({
  name: "login",
  summary: "Print a one-time code for a settings session, of an account or of the operator.",
  kind: "changes",
  callers: "operator",
  subject: { kind: "owner", field: "account" },
  issues: "code",
  input: z.strictObject({ account: name.optional() }),
  /** The only answer with the code, which is shown once. `account` is null for the operator. */
  output: z.strictObject({
    id: z.string(),
    code: z.string(),
    account: z.string().nullable(),
    expiresAt: z.string(),
  }),
  graphql: {
    name: "createLogin",
    text: "For the operator. Creates a one-time code, valid for ten minutes, with which the owner of an account signs in.",
    returns: "Login",
    args: { account: { type: "ID!" } },
  },
  byHand: { command: "login" },
  async run({ sessions }, { account }) {
    const { code, record } = await sessions.issueCode(account);
    return { id: record.id, code, account: record.account ?? null, expiresAt: record.expiresAt };
  },
});
