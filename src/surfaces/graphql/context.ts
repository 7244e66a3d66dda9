import type { Principal, Quota, Ticket } from "../../catalog/principal.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { Turns } from "./schema/turns.ts";

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
  /** Whether it is; costs nothing to ask, where most have no signal. Roots of a document and what accounts own look at it. */
  readonly gone: boolean;
  /** The ticket of the next run of a tool: as many as were counted. */
  nextTicket(): Ticket;
  /**
   * Asked for each result of a tool, in bytes or characters of it, before it becomes part of the answer.
   * @throws ToolError memory_exceeded where the results of the operation would be too large together.
   */
  takeResult(size: number): void;
  /** What was looked up for this operation by now; look-up.ts keeps it here. */
  lookUps?: Map<string, Promise<unknown>>;
  /** What the runs of this operation wait for; schema/turns.ts keeps it here. */
  turns?: Turns;
}
