import { z } from "zod";
import { parseSince } from "../../catalog/duration.ts";
import { defined } from "../../lib/defined.ts";
import { listAudit } from "../../services/audit/list.ts";
import { maxItems, name, when } from "../fields.ts";
import { listOf } from "../list.ts";
import { defineOperation } from "../operation.ts";

export const listActs = defineOperation({
  name: "audit.list",
  summary: "Show who changed what, when and from where.",
  kind: "reads",
  callers: "operator",
  input: z.strictObject({
    account: name.optional(),
    actor: z.string().max(1000).optional(),
    since: when.optional(),
    before: z.int().min(1).optional(),
    search: z.string().max(200).optional(),
    limit: maxItems.optional(),
  }),
  output: listOf(
    z.strictObject({
      seq: z.int(),
      at: z.string(),
      actor: z.string(),
      from: z.string(),
      act: z.string(),
      account: z.string().nullable(),
      target: z.string().nullable(),
      detail: z.record(z.string(), z.unknown()).readonly(),
      result: z.string(),
    }),
  ),
  command: {
    options: {
      since: {
        hint: "WHEN",
        text: "Since then: a duration such as 7d, a date, or an instant such as 2026-01-31T12:00:00Z",
      },
      account: { hint: "NAME", text: "Only acts on this account, its keys and its endpoints" },
      actor: {
        hint: "WHO",
        text: "Only acts of this actor, as the column WHO shows it, such as person:proxy#alice",
      },
      limit: { hint: "N", text: "At most this many acts, newest first, 1 to 10000 (default 100)" },
    },
  },
  byHand: { command: "audit", field: "auditTrail" },
  async run({ store, runtime }, { since, limit = 100, ...query }) {
    const from = since === undefined ? undefined : parseSince(since, runtime.now(), "/since");
    const filter = { limit, ...defined({ ...query, since: from }) };
    return { items: await listAudit(await store.audit(), filter) };
  },
});
