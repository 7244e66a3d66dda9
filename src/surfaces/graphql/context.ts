import type { Principal, Quota, Ticket } from "../../catalog/principal.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { Turns } from "./schema/turns.ts";

/** The context of the resolvers of one operation. */
export interface GraphqlContext {
  readonly deps: GraphqlDeps;
  readonly principal: Principal;
  /** The caller's quota after this operation was counted. */
  readonly quota: Quota | undefined;
  readonly requestId: string;
  /** The client's address. */
  readonly ip: string;
  /** Origin and base path as the caller addressed them, such as `https://tools.example.com/penknife`. */
  readonly baseUrl: string;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Whether the caller has disconnected; cheaper than `signal`. Root fields and fields of accounts check it. */
  readonly gone: boolean;
  /** Returns the ticket of the next run of a tool; there are as many as were counted. */
  nextTicket(): Ticket;
  /**
   * Books the size of a tool's result, in bytes or characters, before it becomes part of the answer.
   * @throws ToolError memory_exceeded if the results of the operation would be too large together.
   */
  takeResult(size: number): void;
  /** Look-ups of this operation; owned by look-up.ts. */
  lookUps?: Map<string, Promise<unknown>>;
  /** Runs that others of this operation wait for; owned by schema/turns.ts. */
  turns?: Turns;
}
