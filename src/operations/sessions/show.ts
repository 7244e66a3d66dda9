import { z } from "zod";
import { requireSeen } from "../../services/access/incarnation.ts";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { readSessionView, sessionView } from "./view.ts";

export const showSession = defineOperation({
  name: "sessions.show",
  summary: "Show a settings session.",
  kind: "reads",
  callers: "owner",
  subject: { kind: "session", field: "id" },
  input: z.strictObject({ id }),
  output: sessionView,
  run: async (context, args, { owner }) =>
    readSessionView(context, requireSeen(await context.sessions.get(args.id), owner)),
});
