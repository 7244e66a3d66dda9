import { z } from "zod";
import { refused } from "../../catalog/refused.ts";
import { name, person } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { begunView, toBegunView } from "./view.ts";

export const openSession = defineOperation({
  name: "sessions.open",
  summary: "Open a settings session for a person whom a provider or a trusted proxy attested.",
  kind: "changes",
  callers: "server",
  subject: { kind: "owner", field: "account" },
  issues: "session",
  input: z.strictObject({ person, account: name.optional(), operator: z.literal(true).optional() }),
  output: begunView,
  async run(context, { person: who, account, operator }) {
    if ((account === undefined) === (operator === undefined))
      throw refused("", "Open a session either of an account or of the operator.");
    const whose = account === undefined ? { operator: true as const } : { account };
    return toBegunView(context, await context.sessions.open(who, whose));
  },
});
