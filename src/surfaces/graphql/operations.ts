import type { GraphQLFormattedError } from "graphql";
import type { Ticket } from "../../catalog/principal.ts";

/** A request as GraphQL over HTTP and graphql-transport-ws have it, its members judged (§5.1 of the former). */
export interface OperationParams {
  query: string;
  operationName?: string;
  variables?: Record<string, unknown>;
  /** The text that `variables` was parsed from, for values whose numbers a double cannot hold. */
  source?: string;
}

export interface OperationCaller {
  /** Of the request that the operation came with, counted already; its quota is brought up to date. */
  ticket: Ticket;
  requestId: string;
  ip: string;
  /** Origin and base path as the caller wrote them. */
  baseUrl: string;
  /** Aborted when the caller goes away, or has heard enough. */
  signal: AbortSignal;
  /** Whether this way can carry a mutation (GET cannot), and a subscription (a single answer cannot). */
  mutation: boolean;
  subscription: boolean;
}

export interface FormattedResult {
  data: unknown;
  errors?: readonly GraphQLFormattedError[];
}

/** What has become of an operation. */
export type Outcome =
  /** Nothing was executed. `status` is the HTTP status for clients that go by it, `headers` names and values in turn. */
  | {
      kind: "refused";
      errors: readonly GraphQLFormattedError[];
      status: number;
      headers: readonly string[];
    }
  | { kind: "result"; result: FormattedResult }
  | { kind: "stream"; results: AsyncGenerator<FormattedResult, void> };

/** The one way in which an operation is run, whatever it came over. */
export interface Operations {
  /** Judges, counts and begins. Rejects for bugs of ours only. */
  begin(params: OperationParams, caller: OperationCaller): Promise<Outcome>;
}
