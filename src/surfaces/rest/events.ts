import { lazy } from "../../lib/lazy.ts";
import type { Handler } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import { sendTagged, toTagged } from "../http/tagged.ts";

/** `GET /api/events`: the event types that endpoints receive, each with its schema and an example. Free. */
export function createEvents(reply: Reply): Handler {
  const document = lazy(async () => {
    const { describeEvents } = await import("../../services/events/describe.ts");
    return toTagged("application/json", `${JSON.stringify({ items: describeEvents() }, null, 2)}\n`);
  });
  return async (exchange) => sendTagged(reply, exchange, await document());
}
