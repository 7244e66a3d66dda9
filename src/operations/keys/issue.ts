import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { label, name, when } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { expiresOption } from "./options.ts";
import { issuedView, printIssued, toIssuedView } from "./view.ts";

export const issueKey = defineOperation({
  name: "keys.issue",
  summary: "Issue a key. It is printed once, alone on standard output, and not stored.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "owner", field: "account" },
  issues: "key",
  events: ["key.issued"],
  input: z.strictObject({ account: name, name: label.optional(), expires: when.optional() }),
  output: issuedView,
  command: {
    options: {
      account: { hint: "NAME", text: "The account, which must be pro or team" },
      name: { hint: "LABEL", text: "A label for the key" },
      expires: expiresOption,
    },
    print: printIssued,
  },
  graphql: {
    name: "generateKey",
    text: "Issues a key; requires a session. Its secret is in this answer only.",
    returns: "IssuedKey",
    input: {
      type: "GenerateKeyInput",
      text: "A new key.",
      fields: {
        account: "The caller's account by default; required for the operator.",
        name: "The label of the key.",
        expires: 'A duration such as "90d", or a time (RFC 3339); the longest allowed by default.',
      },
    },
  },
  run: async ({ keys }, args, { owner: caller }) =>
    toIssuedView(await keys.issue(defined({ ...args, caller }))),
});
