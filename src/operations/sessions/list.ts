import { z } from "zod";
import type { Person } from "../../catalog/principal.ts";
import { defined } from "../../lib/defined.ts";
import { parsePersonActor, toPersonActor } from "../../storage/person.ts";
import type { Option, Table } from "../command.ts";
import { name, person } from "../fields.ts";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { readUses } from "../uses.ts";
import { type SessionView, sessionView, toSessionView } from "./view.ts";

export const sessionTable: Table<SessionView> = {
  headings: ["SESSION", "OF", "STATE", "BEGAN", "ENDS", "LAST USED", "PERSON"],
  toRow: ({ id, account, state, createdAt, expiresAt, revokedAt, lastUsedAt, person: who }) => [
    id,
    account ?? "(operator)",
    state,
    createdAt,
    revokedAt ?? expiresAt,
    // A server of an older release does not report it.
    lastUsedAt ?? "-",
    who === undefined ? "-" : toText(who),
  ],
};

export const personOption = {
  hint: "PERSON",
  text: "Only sessions of this person, as the list shows it: ISSUER#SUBJECT",
  parse: parsePersonActor,
  must: "ISSUER#SUBJECT as admin sessions list shows it, such as https://id.example.com/realms/staff#42 or proxy#alice",
} satisfies Option;

export const listSessions = defineOperation({
  name: "sessions.list",
  summary: "List sessions, oldest first, including those that ended in the last day.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({ account: name.optional(), person: person.optional() }),
  output: listOf(sessionView),
  command: {
    options: { account: { hint: "NAME", text: "Only sessions of this account" }, person: personOption },
    table: sessionTable,
  },
  byHand: { field: "sessions" },
  async run(context, { account, person: who }, { owner: caller }) {
    const listing = await context.sessions.list(defined({ account, person: who, caller }));
    const uses = await readUses(
      context,
      listing.records.map(({ id }) => id),
    );
    return toList(listing, (record) => toSessionView(context, record, uses));
  },
});

/** `https://id.example.com#42`, as the list shows a person. */
export const toText = (who: Person): string => toPersonActor(who).slice("person:".length);
