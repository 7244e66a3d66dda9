import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { id, label } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { keyView, overruleKeys, toChangedKey } from "./view.ts";

export const revokeKey = defineOperation({
  name: "keys.revoke",
  summary: "Revoke a key permanently.",
  kind: "closes",
  callers: "owner",
  subject: { kind: "key", field: "id" },
  showsSubject: true,
  events: ["key.revoked"],
  input: z.strictObject({ id, reason: label.optional() }),
  output: keyView,
  graphql: {
    name: "revokeKey",
    text: "Revokes a key permanently; requires a session. Repeating it changes nothing.",
    returns: "Key",
    args: { reason: "Kept with the key." },
  },
  byHand: { command: "keys revoke" },
  run: async (context, { id: named, ...options }, { key = named }) =>
    toChangedKey(context, await context.keys.revoke(key, defined(options))),
  closeInMemory: async (context, args) => overruleKeys(context, [await context.keys.get(args.id)]),
});
