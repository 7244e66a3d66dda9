import { z } from "zod";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { overruleSessions, readSessionView, sessionView, toSessionView } from "./view.ts";

export const revokeSession = defineOperation({
  name: "sessions.revoke",
  summary: "End a settings session permanently.",
  kind: "closes",
  callers: "owner",
  subject: { kind: "session", field: "id" },
  input: z.strictObject({ id }),
  output: sessionView,
  byHand: { command: "sessions revoke", field: "revokeSession" },
  async run(context, args) {
    const record = await context.sessions.revoke(args.id);
    // An ended session must not be reported as failed because its last use cannot be read.
    return readSessionView(context, record).catch(() => toSessionView(context, record, { last: new Map() }));
  },
  closeInMemory: async (context, args) => overruleSessions(context, [await context.sessions.get(args.id)]),
});
