import type { Handler } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import { sendTagged, type Tagged, toTagged } from "../http/tagged.ts";

/** `GET /api/events`: the types of events that endpoints are sent, each with its schema and an example. Free. */
export function createEvents(reply: Reply): Handler {
  let document: Tagged | undefined;
  return async (exchange) => {
    if (document === undefined) {
      const { describeEvents } = await import("../../services/events/describe.ts");
      document = toTagged("application/json", `${JSON.stringify({ items: describeEvents() }, null, 2)}\n`);
    }
    return sendTagged(reply, exchange, document);
  };
}
