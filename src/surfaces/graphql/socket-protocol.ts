import { type GraphQLFormattedError, Kind, OperationTypeNode } from "graphql";
import { type Context, makeServer, type SubscribePayload } from "graphql-ws";
import { ToolError } from "../../catalog/errors.ts";
import type { Principal, Ticket } from "../../catalog/principal.ts";
import type { Errors } from "./errors.ts";
import type { OperationParams, Operations, Outcome } from "./operations.ts";
import { brake, close, closeFor, closeWhenDone, type Connection, type Running } from "./socket-connection.ts";
import { textOfMember } from "../../catalog/member-text.ts";

/** The server side of graphql-transport-ws; states and close codes are handled by the library. */
export interface SocketProtocol {
  /** Attaches the handlers of messages and of the end to a connection. */
  open(connection: Connection, protocol: string): void;
  receive(connection: Connection, text: string): Promise<void>;
}

export interface SocketProtocolDeps {
  operations: Operations;
  errors: Errors;
  /** Authenticates the caller by `connection_init` and the handshake. @throws ToolError */
  identify(connection: Connection, params: Readonly<Record<string, unknown>>): Promise<Principal>;
  /** Counts an operation. @throws ToolError */
  admit(connection: Connection, params: OperationParams): Promise<Ticket>;
  nextId(): string;
  /** Most concurrent operations of one connection. */
  maxSubscriptions: number;
  /** Milliseconds from the handshake to `connection_init`. */
  initMs: number;
  onFault(error: unknown, requestId: string): void;
}

type Ctx = Context<Record<string, unknown>, Connection>;

/** Thrown for a refused operation, with its errors. */
class RefusedError extends Error {
  readonly errors: readonly GraphQLFormattedError[];

  constructor(errors: readonly GraphQLFormattedError[]) {
    super("refused");
    this.errors = errors;
  }
}

/** Most characters of an operation id, which each result repeats. */
const maxIdLength = 128;
/** Operations waiting for the store above which reading stops. */
const maxBeginning = 64;

export function createSocketProtocol(deps: SocketProtocolDeps): SocketProtocol {
  const { operations, errors } = deps;
  const contexts = new WeakMap<Connection, Ctx>();

  const server = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: deps.initMs,
    async onConnect(ctx) {
      const { extra: connection, connectionParams = {} } = ctx;
      contexts.set(connection, ctx);
      try {
        connection.exchange.principal = await deps.identify(connection, connectionParams);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        closeFor(connection, error);
      }
    },
    async onSubscribe(ctx, id, payload) {
      const { extra: connection } = ctx;
      const context = { requestId: deps.nextId() };
      if (id.length > maxIdLength) {
        const fault = new ToolError(
          "invalid_input",
          `The id of an operation has at most ${maxIdLength} characters.`,
        );
        close(connection, 4400, fault.message);
        return refuse(errors.ofRequest(fault, context).errors);
      }
      const running: Running = { id, cancel: new AbortController(), endless: false };
      // Checked before anything is awaited: one packet may hold many messages.
      const fits = connection.running.size < deps.maxSubscriptions && !connection.ending;
      const params = toParams(payload, connection.text);
      connection.beginning += 1;
      if (fits) connection.running.add(running);
      try {
        const ticket = await deps.admit(connection, params);
        if (!fits) throw connection.ending ? goingDown() : tooMany(deps.maxSubscriptions);
        const outcome = await operations.begin(params, {
          ...context,
          ticket,
          ip: connection.exchange.ip,
          baseUrl: connection.baseUrl,
          signal: running.cancel.signal,
          get gone() {
            return running.cancel.signal.aborted;
          },
          mutation: true,
          subscription: true,
        });
        // The log line is for the whole connection, which exists for its subscriptions.
        const { exchange } = connection;
        if (exchange.operation !== "subscription") exchange.operation = outcome.operation ?? "";
        if (outcome.kind === "refused") return refuse(outcome.errors);
        running.endless = outcome.kind === "stream";
        return toArgs(outcome);
      } catch (error) {
        if (!(error instanceof ToolError)) deps.onFault(error, context.requestId);
        return refuse(errors.ofRequest(error, context).errors);
      } finally {
        connection.beginning -= 1;
        settle(connection);
      }
    },
    execute: (args) => resultOf(args),
    subscribe: (args) => resultOf(args),
    onNext: (_ctx, _id, _payload, _args, result) => result as never,
    onError: ({ extra: connection }, id, _payload, [error]) => {
      finish(connection, id);
      const cause = error?.cause;
      if (cause instanceof RefusedError) return cause.errors;
      // Errors of a stream are in its results, so anything thrown is a bug.
      const context = { requestId: deps.nextId() };
      deps.onFault(cause, context.requestId);
      return errors.ofRequest(cause, context).errors;
    },
    onComplete: ({ extra: connection }, id) => finish(connection, id),
  });

  function finish(connection: Connection, id: string): void {
    for (const running of connection.running) {
      if (running.id !== id) continue;
      connection.running.delete(running);
      break;
    }
    settle(connection);
  }

  function settle(connection: Connection): void {
    if (connection.closing) return;
    // Sent after the message that reports it.
    if (connection.ending) setImmediate(closeWhenDone, connection);
    else brake(connection, connection.flow.isFull() || connection.beginning > maxBeginning);
  }

  /** Stops an operation that the client has completed; the library only forgets it. */
  function cancelCompleted(connection: Connection): void {
    const ctx = contexts.get(connection);
    for (const running of connection.running) {
      if (ctx === undefined || running.id in ctx.subscriptions) continue;
      running.cancel.abort();
      connection.running.delete(running);
    }
  }

  return {
    open(connection, protocol) {
      connection.closed = server.opened(
        {
          protocol,
          send: (text) => connection.flow.send(text),
          close: (code = 1000, reason = "") => close(connection, code, reason),
          onMessage: (receive) => (connection.receive = receive),
          // Without the payload of the ping, which may be a megabyte, or nested too deeply for JSON.stringify.
          onPing: () => connection.flow.send('{"type":"pong"}'),
        },
        connection,
      );
    },
    async receive(connection, text) {
      connection.text = text;
      try {
        const handled = connection.receive(text);
        // The synchronous part has been handled by now, so the id is known.
        connection.text = "";
        if (connection.running.size > 0) cancelCompleted(connection);
        settle(connection);
        await handled;
      } catch (error) {
        // A message that only servers send; the library throws here, and closes for every other fault.
        if (String(error).startsWith("Error: Unexpected message of type")) {
          return close(connection, 4400, "Invalid message received");
        }
        deps.onFault(error, connection.exchange.requestId);
        close(connection, 4500, "Internal server error");
      }
    },
  };
}

/** A minimal document for the library, which only checks whether it is a subscription, to choose a hook. */
const document = {
  kind: Kind.DOCUMENT,
  definitions: [
    {
      kind: Kind.OPERATION_DEFINITION,
      operation: OperationTypeNode.QUERY,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
    },
  ],
};

const toArgs = (outcome: Exclude<Outcome, { kind: "refused" }> | { kind: "error"; error: Error }): never =>
  ({ document, rootValue: outcome, contextValue: undefined }) as never;

/**
 * Returns the errors as a stream that fails at once: hooks may return errors only as instances of the library's own
 * copy of `GraphQLError`.
 */
const refuse = (errors: readonly GraphQLFormattedError[]): never =>
  toArgs({ kind: "error", error: new RefusedError(errors) });

function resultOf({ rootValue }: { rootValue?: unknown }): never {
  const outcome = rootValue as Parameters<typeof toArgs>[0];
  if (outcome.kind === "error")
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(outcome.error) }) } as never;
  if (outcome.kind === "stream") return outcome.results as never;
  // Only results of introspection are that large, and clients request it once.
  return (outcome.kept === undefined ? outcome.result : JSON.parse(outcome.kept.text)) as never;
}

const tooMany = (limit: number): ToolError =>
  new ToolError(
    "overloaded",
    `A connection has at most ${limit} operations at a time. End one, then try again.`,
    {
      limit,
      retryAfter: 1,
    },
  );

const goingDown = (): ToolError =>
  new ToolError("overloaded", "The server is shutting down. Connect again.", { retryAfter: 1 });

/** Returns the parameters of a `subscribe` message, which the library has validated; `text` is the whole message. */
function toParams({ query, operationName, variables }: SubscribePayload, text: string): OperationParams {
  const params: OperationParams = { query };
  if (typeof operationName === "string") params.operationName = operationName;
  if (typeof variables !== "object" || variables === null) return params;
  params.variables = variables;
  return Object.defineProperty(params, "source", { get: () => variablesOf(text) });
}

/** Returns the text of payload.variables; of duplicate members the last, as `JSON.parse` does. */
const variablesOf = (text: string): string =>
  textOfMember(Buffer.from(textOfMember(Buffer.from(text), "payload")), "variables");
