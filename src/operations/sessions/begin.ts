import { z } from "zod";
import { code } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { begunView, toBegunView } from "./view.ts";

export const beginSession = defineOperation({
  name: "sessions.begin",
  summary: "Exchange a one-time code for a settings session.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "code", field: "code" },
  issues: "session",
  input: z.strictObject({ code }),
  output: begunView,
  byHand: { field: "signIn" },
  run: async (context, args) => toBegunView(context, await context.sessions.begin(args.code)),
});
