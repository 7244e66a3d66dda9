import type { GraphQLFormattedError } from "graphql";
import type { Ticket } from "../../catalog/principal.ts";
import type { Shared } from "../http/shared.ts";

/** A request as GraphQL over HTTP and graphql-transport-ws have it, its members judged (§5.1 of the former). */
export interface OperationParams {
  query: string;
  operationName?: string;
  variables?: Record<string, unknown>;
  /** The text that `variables` was parsed from, for values whose numbers a double cannot hold: see `withJsonText`. */
  source?: string;
}

export interface OperationCaller {
  /** Of the request that the operation came with, counted already; its quota is brought up to date. */
  ticket: Ticket;
  requestId: string;
  ip: string;
  /** Origin and base path as the caller wrote them. */
  readonly baseUrl: string;
  /** Aborted when the caller goes away, or has heard enough. Made when it is first asked for: most have nothing to stop. */
  readonly signal: AbortSignal;
  /** Whether it is; costs nothing to ask. */
  readonly gone: boolean;
  /** Whether this way can carry a mutation (GET cannot), and a subscription (a single answer cannot). */
  mutation: boolean;
  subscription: boolean;
}

export interface FormattedResult {
  data: unknown;
  errors?: readonly GraphQLFormattedError[];
}

/** A result that is kept, because it costs a hundred times as much as a usual one. */
export interface KeptResult extends Shared {
  readonly text: string;
}

export type OperationKind = "query" | "mutation" | "subscription";

/** What has become of an operation, and what was asked for as far as it could be found out. */
export type Outcome =
  /** Nothing was executed. `status` is the HTTP status for clients that go by it, `headers` names and values in turn. */
  | {
      kind: "refused";
      errors: readonly GraphQLFormattedError[];
      status: number;
      headers: readonly string[];
      operation?: OperationKind;
    }
  /** `kept` is the result as JSON, where it is the same for everyone: then `result` may be empty. */
  | { kind: "result"; operation?: OperationKind; result: FormattedResult; kept?: KeptResult }
  | { kind: "stream"; operation?: OperationKind; results: AsyncGenerator<FormattedResult, void> };

/** The one way in which an operation is run, whatever it came over. */
export interface Operations {
  /** Judges, counts and begins. Rejects for bugs of ours only. */
  begin(params: OperationParams, caller: OperationCaller): Promise<Outcome>;
}
