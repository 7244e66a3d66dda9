import { ToolError } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { OperationCaller } from "./operations.ts";

export interface OwnContext extends GraphqlContext {
  /** Tickets for further runs. */
  addTickets(tickets: readonly Ticket[]): void;
}

/** Most bytes of all results of one operation; larger ones must be requested separately. */
const maxResults = 16_777_216;

export function createContext(deps: GraphqlDeps, caller: OperationCaller): OwnContext {
  const { ticket, requestId, ip } = caller;
  let tickets: readonly Ticket[] | undefined;
  let used = 0;
  let size = 0;
  return {
    deps,
    principal: ticket.principal,
    // The same object, which later counts update.
    quota: ticket.quota,
    requestId,
    ip,
    get baseUrl() {
      return caller.baseUrl;
    },
    get signal() {
      return caller.signal;
    },
    get gone() {
      return caller.gone;
    },
    addTickets(more) {
      tickets = more;
    },
    nextTicket() {
      const next = used === 0 ? ticket : tickets?.[used - 1];
      used += 1;
      if (next === undefined) throw new Error("More tools are run than were counted");
      return next;
    },
    takeResult(more) {
      size += more;
      if (size <= maxResults) return;
      throw new ToolError(
        "memory_exceeded",
        `The results of this document are larger than ${maxResults} bytes together. Run fewer tools in one document, or this one with POST /api/tools/<slug>.`,
        { limit: maxResults },
      );
    },
  };
}
