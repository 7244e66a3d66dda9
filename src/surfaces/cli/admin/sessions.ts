import type { ListView } from "../../../services/admin/admin.ts";
import type { SessionView } from "../../../services/access/sessions/operations.ts";
import { defineGroup, defineLeaf, jsonArg } from "../command.ts";
import { type Shape, writeList, writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { readId } from "./read-id.ts";

export const sessionsCommand = defineGroup({
  description: "List and end settings sessions, which start with a code of admin login.",
  commands: { list: () => list, revoke: () => revoke },
  examples: [
    "penknife admin sessions list --account ci",
    "penknife admin sessions revoke ses_0123456789abcdef0123",
  ],
});

const shape: Shape<SessionView> = {
  headings: ["SESSION", "OF", "STATE", "BEGAN", "ENDS", "LAST USED"],
  toRow: ({ id, account, state, createdAt, expiresAt, revokedAt, lastUsedAt }) => [
    id,
    account ?? "(operator)",
    state,
    createdAt,
    revokedAt ?? expiresAt,
    // A server of an older release does not report it.
    lastUsedAt ?? "-",
  ],
};

const list = defineLeaf({
  description: "List sessions, oldest first, including those that ended in the last day.",
  args: {
    account: { type: "string", valueHint: "NAME", description: "Only sessions of this account" },
    ...jsonArg,
  },
  async run({ account, ...args }, host) {
    const fields = account === undefined ? {} : { account };
    const view = await callAdmin<ListView<SessionView>>("sessions.list", fields, args, host);
    return writeList(view, shape, args.json, host);
  },
});

const revoke = defineLeaf({
  description: "End a session permanently, at once on a running server.",
  args: {
    id: {
      type: "positional",
      required: true,
      description: "The id (ses_…) or the token itself; - reads it from standard input",
    },
    ...jsonArg,
  },
  async run(args, host) {
    const id = await readId(args.id, host);
    await writeOne(await callAdmin<SessionView>("sessions.revoke", { id }, args, host), args.json, host);
  },
});
