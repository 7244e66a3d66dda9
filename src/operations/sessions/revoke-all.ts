import { z } from "zod";
import { name, person } from "../fields.ts";
import { listOf } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { readUses } from "../uses.ts";
import { overruleSessions, sessionView, toSessionView } from "./view.ts";

export const revokeAllSessions = defineOperation({
  name: "sessions.revokeAll",
  summary: "End all live settings sessions of a person permanently.",
  kind: "closes",
  callers: "owner",
  subject: { kind: "person", field: "person" },
  input: z.strictObject({ person, account: name.optional() }),
  output: listOf(sessionView),
  byHand: { command: "sessions revoke --person", field: "revokeSessions" },
  async run(context, { person: who, account }) {
    const records = await context.sessions.revokeAll(who, account);
    const uses = await readUses(
      context,
      records.map(({ id }) => id),
    ).catch(() => ({ last: new Map() }));
    return { items: records.map((record) => toSessionView(context, record, uses)) };
  },
  closeInMemory: async (context, { person: who, account }) =>
    overruleSessions(context, await context.sessions.live(who, account)),
});
