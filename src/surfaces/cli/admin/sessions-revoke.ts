import { personOption, sessionTable, toText } from "../../../operations/sessions/list.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { readId } from "./read-id.ts";
import { usageError } from "../usage-error.ts";

/** One command for two operations: a session, or with --person those of a person. */
export const revokeCommand = defineLeaf({
  description:
    "End a session, or all sessions of a person, permanently and at once on a running server. The sessions of a person are listed as they were ended.",
  args: {
    id: {
      type: "positional",
      required: false,
      description: "The id (ses_…) or the token itself; - reads it from standard input",
    },
    person: {
      type: "string",
      valueHint: personOption.hint,
      description: "All live sessions of this person, instead of one session",
    },
    account: { type: "string", valueHint: "NAME", description: "With --person: only those of this account" },
    ...jsonArg,
  },
  async run({ id: word, person: named, account, ...args }, host) {
    if (named === undefined) {
      if (word === undefined) throw usageError("ID is missing: name a session, or a person with --person.");
      if (account !== undefined) throw usageError("--account needs --person.");
      const id = await readId(word, host);
      const { person: whose, ...view } = await callAdmin("sessions.revoke", { id }, args, host);
      const shown = args.json === true ? whose : whose && toText(whose);
      return writeOne({ ...view, ...(shown !== undefined && { person: shown }) }, args.json, host);
    }
    if (word !== undefined) throw usageError("Name either a session or a person with --person.");
    const person = personOption.parse(named);
    if (person === undefined) throw usageError(`--person must be ${personOption.must}.`);
    const view = await callAdmin("sessions.revokeAll", { person, account }, args, host);
    return writeList(view, sessionTable, args.json, host);
  },
});
