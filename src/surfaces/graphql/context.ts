import type { Principal, Quota, Ticket } from "../../catalog/principal.ts";
import type { GraphqlDeps } from "./deps.ts";

/** What the resolvers of one operation know. */
export interface GraphqlContext {
  readonly deps: GraphqlDeps;
  readonly principal: Principal;
  /** The caller's window after this operation was counted. */
  readonly quota: Quota | undefined;
  readonly requestId: string;
  /** The client's address. */
  readonly ip: string;
  /** Origin and base path as the caller wrote them, such as `https://tools.example.com/penknife`. */
  readonly baseUrl: string;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** The ticket of the next run of a tool: as many as were counted. */
  nextTicket(): Ticket;
}
