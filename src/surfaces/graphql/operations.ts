import type { GraphQLFormattedError } from "graphql";
import type { Ticket } from "../../catalog/principal.ts";
import type { Shared } from "../http/shared.ts";

/** A request as specified by GraphQL over HTTP §5.1 and graphql-transport-ws, its members validated. */
export interface OperationParams {
  query: string;
  operationName?: string;
  variables?: Record<string, unknown>;
  /** The JSON text of `variables`, for numbers that a double cannot hold: see `withJsonText`. */
  source?: string;
}

export interface OperationCaller {
  /** Ticket of the counted request; its quota is kept up to date. */
  ticket: Ticket;
  requestId: string;
  ip: string;
  /** Origin and base path as the caller addressed them. */
  readonly baseUrl: string;
  /**
   * Aborted when the caller disconnects or unsubscribes. Created on first use, because most operations have nothing to
   * stop.
   */
  readonly signal: AbortSignal;
  /** Whether the caller has left; cheaper than `signal`. */
  readonly gone: boolean;
  /** Whether the transport can carry a mutation (GET cannot) and a subscription (a single answer cannot). */
  mutation: boolean;
  subscription: boolean;
}

export interface FormattedResult {
  data: unknown;
  errors?: readonly GraphQLFormattedError[];
}

/** A cached result; it costs a hundred times as much as a usual one. */
export interface KeptResult extends Shared {
  readonly text: string;
}

export type OperationKind = "query" | "mutation" | "subscription";

/** The outcome of an operation, with its kind if it is known. */
export type Outcome =
  /** Nothing was executed. `status` is the HTTP status; `headers` are alternating names and values. */
  | {
      kind: "refused";
      errors: readonly GraphQLFormattedError[];
      status: number;
      headers: readonly string[];
      operation?: OperationKind;
    }
  /** `kept` is the result as JSON if it is the same for everyone; `result` may then be empty. */
  | { kind: "result"; operation?: OperationKind; result: FormattedResult; kept?: KeptResult }
  | { kind: "stream"; operation?: OperationKind; results: AsyncGenerator<FormattedResult, void> };

/** Runs operations, for every transport. */
export interface Operations {
  /** Validates, counts and starts an operation. Rejects only for bugs. */
  begin(params: OperationParams, caller: OperationCaller): Promise<Outcome>;
}
