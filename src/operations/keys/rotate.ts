import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { id, when } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { expiresOption } from "./options.ts";
import { issuedView, printIssued, toIssuedView } from "./view.ts";

export const rotateKey = defineOperation({
  name: "keys.rotate",
  summary: "Replace a key with a new one. The old one stops at once, or after --grace.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "key", field: "id" },
  issues: "key",
  events: ["key.rotated"],
  input: z.strictObject({ id, grace: when.optional(), expires: when.optional() }),
  output: issuedView,
  command: {
    options: {
      grace: { hint: "TIME", text: "How long both keys work, such as 24h" },
      expires: expiresOption,
    },
    print: printIssued,
  },
  graphql: {
    name: "rotateKey",
    text: "Replaces a key, which stops at once or after a grace period; requires a session.",
    returns: "IssuedKey",
    input: {
      type: "RotateKeyInput",
      text: "The options of a rotation.",
      optional: true,
      fields: {
        grace: 'How long both keys work, such as "24h"; by default the old one stops at once.',
        expires: "As for generateKey; by default the lifetime of the old key.",
      },
    },
  },
  run: async ({ keys }, { id: key, ...options }) => toIssuedView(await keys.rotate(key, defined(options))),
});
