import type { ListView } from "../../../services/admin/admin.ts";
import type { SessionView } from "../../../services/access/sessions/operations.ts";
import type { Person } from "../../../catalog/principal.ts";
import { parsePersonActor, toPersonActor } from "../../../storage/person.ts";
import { defineGroup, defineLeaf, jsonArg } from "../command.ts";
import { type Shape, writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { readId } from "./read-id.ts";
import { usageError } from "../usage-error.ts";

export const sessionsCommand = defineGroup({
  description:
    "List and end settings sessions, which start with a code of admin login or the sign-in of a person.",
  commands: { list: () => list, revoke: () => revoke },
  examples: [
    "penknife admin sessions list --account ci",
    "penknife admin sessions revoke ses_0123456789abcdef0123",
    "penknife admin sessions revoke --person https://id.example.com/realms/staff#42",
  ],
});

const shape: Shape<SessionView> = {
  headings: ["SESSION", "OF", "STATE", "BEGAN", "ENDS", "LAST USED", "PERSON"],
  toRow: ({ id, account, state, createdAt, expiresAt, revokedAt, lastUsedAt, person }) => [
    id,
    account ?? "(operator)",
    state,
    createdAt,
    revokedAt ?? expiresAt,
    // A server of an older release does not report it.
    lastUsedAt ?? "-",
    person === undefined ? "-" : toText(person),
  ],
};

const personArg = {
  type: "string",
  valueHint: "PERSON",
} as const;

const list = defineLeaf({
  description: "List sessions, oldest first, including those that ended in the last day.",
  args: {
    account: { type: "string", valueHint: "NAME", description: "Only sessions of this account" },
    person: {
      ...personArg,
      description: "Only sessions of this person, as the list shows it: ISSUER#SUBJECT",
    },
    ...jsonArg,
  },
  async run({ account, person, ...args }, host) {
    const fields = {
      ...(account !== undefined && { account }),
      ...(person !== undefined && { person: parsePerson(person) }),
    };
    const view = await callAdmin<ListView<SessionView>>("sessions.list", fields, args, host);
    return writeList(view, shape, args.json, host);
  },
});

const revoke = defineLeaf({
  description:
    "End a session, or all sessions of a person, permanently and at once on a running server. The sessions of a person are listed as they were ended.",
  args: {
    id: {
      type: "positional",
      required: false,
      description: "The id (ses_…) or the token itself; - reads it from standard input",
    },
    person: { ...personArg, description: "All live sessions of this person, instead of one session" },
    account: { type: "string", valueHint: "NAME", description: "With --person: only those of this account" },
    ...jsonArg,
  },
  async run({ id: word, person, account, ...args }, host) {
    if (person === undefined) {
      if (word === undefined) throw usageError("ID is missing: name a session, or a person with --person.");
      if (account !== undefined) throw usageError("--account needs --person.");
      const id = await readId(word, host);
      const { person: whose, ...view } = await callAdmin<SessionView>("sessions.revoke", { id }, args, host);
      const shown = args.json === true ? whose : whose && toText(whose);
      return writeOne({ ...view, ...(shown !== undefined && { person: shown }) }, args.json, host);
    }
    if (word !== undefined) throw usageError("Name either a session or a person with --person.");
    const fields = { person: parsePerson(person), ...(account !== undefined && { account }) };
    const view = await callAdmin<ListView<SessionView>>("sessions.revokeAll", fields, args, host);
    return writeList(view, shape, args.json, host);
  },
});

/** `https://id.example.com#42`, as the list shows a person. */
const toText = (person: Person): string => toPersonActor(person).slice("person:".length);

function parsePerson(text: string): Pick<Person, "issuer" | "subject"> {
  const person = parsePersonActor(text);
  if (person !== undefined) return person;
  throw usageError(
    "--person must be ISSUER#SUBJECT as admin sessions list shows it, such as https://id.example.com/realms/staff#42 or proxy#alice.",
  );
}
