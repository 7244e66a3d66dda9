import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import type { Table } from "../command.ts";
import { name } from "../fields.ts";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { readUses } from "../uses.ts";
import { keyView, type KeyView, toKeyView } from "./view.ts";

export const keyTable: Table<KeyView> = {
  headings: ["KEY", "BEGINS WITH", "ACCOUNT", "NAME", "STATE", "CREATED", "EXPIRES", "LAST USED"],
  toRow: ({ id, start, account, name: label, state, createdAt, expiresAt, lastUsedAt }) => [
    id,
    `${start}…`,
    account,
    label ?? "-",
    state,
    createdAt,
    expiresAt ?? "never",
    // A server of an older release does not report it.
    lastUsedAt ?? "-",
  ],
};

export const listKeys = defineOperation({
  name: "keys.list",
  summary: "List keys, oldest first, including revoked and expired ones.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({ account: name.optional() }),
  output: listOf(keyView),
  command: { options: { account: { hint: "NAME", text: "Only keys of this account" } }, table: keyTable },
  byHand: { field: "keys" },
  async run(context, { account }, { owner: caller }) {
    const { accounts, keys, runtime } = context;
    if (account !== undefined) await accounts.get(account);
    const listing = await keys.list(defined({ account, caller }));
    const uses = await readUses(
      context,
      account === undefined ? undefined : listing.records.map(({ id }) => id),
    );
    return toList(listing, (record) => toKeyView(record, uses, runtime.now()));
  },
});
