import { z } from "zod";
import { parseSince } from "../../catalog/duration.ts";
import { id, when, whenText } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { servingEndpoint } from "./view.ts";

/** Most deliveries of one call: a person waits for the answer. */
const maxRecovered = 10_000;
const redeliveriesAtOnce = 64;

export const recoverDeliveries = defineOperation({
  name: "webhooks.recover",
  summary: "Send all failed deliveries of an endpoint since then again.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  input: z.strictObject({ id, since: when }),
  /** `more` says whether more deliveries remain than one call redelivers. */
  output: z.strictObject({ endpoint: z.string(), redelivered: z.int(), more: z.boolean() }),
  command: {
    options: { since: { hint: "WHEN", text: whenText } },
    print: ({ redelivered }) => ({ line: String(redelivered) }),
    warn: ({ more }) => (more ? "there are more. Run this again after these are sent." : undefined),
  },
  graphql: {
    name: "recoverDeliveries",
    text: "Redelivers the failed deliveries of an endpoint, oldest first, at most 10,000.",
    returns: "RecoveredDeliveries",
    args: {
      id: { name: "endpoint" },
      since: "Added since: a time such as 2026-11-21T12:00:00Z, or how long ago, such as 24h.",
    },
  },
  async run(context, args) {
    const from = parseSince(args.since, context.runtime.now(), "/since");
    const endpoint = (await servingEndpoint(context, args.id)).id;
    const queue = await context.store.deliveries();
    const query = { endpoint, state: "failed", since: from, limit: maxRecovered + 1 } as const;
    const failed = await queue.list(query);
    const some = failed.slice(0, maxRecovered);
    // Oldest first, as the events occurred.
    const ids = some.map((delivery) => delivery.id).toReversed();
    for (let at = 0; at < ids.length; at += redeliveriesAtOnce) {
      await Promise.all(ids.slice(at, at + redeliveriesAtOnce).map((one) => queue.redeliver(one)));
    }
    return { endpoint, redelivered: ids.length, more: failed.length > some.length };
  },
});
