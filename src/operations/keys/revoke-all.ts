import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { label, name } from "../fields.ts";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { keyView, overruleKeys, toChangedKey } from "./view.ts";

export const revokeAllKeys = defineOperation({
  name: "keys.revokeAll",
  summary: "Revoke every live key of an account permanently.",
  kind: "closes",
  callers: "owner",
  subject: { kind: "keys", field: "account" },
  events: ["key.revoked"],
  input: z.strictObject({ account: name, reason: label.optional() }),
  output: listOf(keyView),
  graphql: {
    name: "revokeAllKeys",
    text: "Revokes every live key of the account permanently; requires a session that signed in within the last ten minutes. Returns the keys that it revoked.",
    returns: "[Key!]",
    recent: true,
    args: {
      account: "The caller's account by default; required for the operator.",
      reason: "Kept with the keys.",
    },
  },
  byHand: { command: "keys revoke --all" },
  async run(context, { account, ...options }, { owner: caller }) {
    await context.accounts.get(account);
    const { records, damaged } = await context.keys.revokeAll(account, defined({ ...options, caller }));
    const views = await Promise.all(records.map((record) => toChangedKey(context, record)));
    return toList({ records: views, damaged }, (view) => view);
  },
  closeInMemory: async (context, { account }) => overruleKeys(context, await context.keys.live(account)),
});
