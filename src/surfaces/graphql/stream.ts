import { errorCodes } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import { createEventStreams, type EventStream, streamHeaders } from "../http/event-stream.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { abortOnLeave } from "../http/leaving.ts";
import type { ConnectionLimiter } from "../http/connection-limiter.ts";
import { callerBucket } from "../../services/access/buckets.ts";
import { codeOf } from "./count-operations.ts";
import type { GraphqlDeps } from "./deps.ts";
import { typeOfRefusal } from "./negotiate.ts";
import type { FormattedResult, OperationParams, Operations, Outcome } from "./operations.ts";

/**
 * Answers operations with server-sent events: the distinct connections mode of the GraphQL over Server-Sent Events
 * protocol. A query or mutation is one `next` event, and so are errors of a document, because clients do not show the
 * body of a refused request.
 */
export interface GraphqlStreams {
  /**
   * Starts the operation; resolves when its answer has ended.
   * @throws ToolError overloaded if too many connections are open.
   */
  run(exchange: Exchange, ticket: Ticket, params: OperationParams, baseUrl: string): Promise<void>;
}

export function createStreams(
  http: Http,
  deps: Pick<GraphqlDeps, "authenticate" | "runtime">,
  operations: Operations,
  /** Shared with the WebSockets. */
  connections: ConnectionLimiter,
): GraphqlStreams {
  const streams = createEventStreams(http, deps);

  /** Quota, method and load are refused by status; errors of the document are not. */
  function refuse(
    exchange: Exchange,
    { errors, status, headers }: Extract<Outcome, { kind: "refused" }>,
  ): void {
    if (status <= errorCodes.invalid_input.status) return sendWhole(exchange, JSON.stringify({ errors }));
    const type = typeOfRefusal(exchange.req.headers.accept);
    http.reply.send(exchange, status, type, JSON.stringify({ errors }), [...headers, "Vary", "Accept"]);
  }

  const sendWhole = (exchange: Exchange, json: string): void =>
    http.reply.send(exchange, 200, "text/event-stream", toNext(json) + complete, streamHeaders);

  /** Without `complete` if the server stops or the credential becomes invalid: clients then reconnect and learn why. */
  async function sendAll(stream: EventStream, results: AsyncGenerator<FormattedResult, void>): Promise<void> {
    stream.begin();
    while (!stream.over) {
      const coming = results.next();
      await stream.until(coming);
      if (stream.over) return;
      const { done, value } = await coming;
      await stream.write(done === true ? complete : toNext(JSON.stringify(value)));
      if (done === true) return;
    }
  }

  async function follow(
    exchange: Exchange,
    owner: string,
    results: AsyncGenerator<FormattedResult, void>,
    leaving: AbortController,
  ): Promise<void> {
    const slot = connections.acquire(owner);
    try {
      const onOver = (): void => leaving.abort();
      await streams.run(exchange, { onOver }, (stream) => sendAll(stream, results));
    } finally {
      slot.release();
    }
  }

  return {
    async run(exchange, ticket, params, baseUrl) {
      const { requestId, ip, req } = exchange;
      const leaving = abortOnLeave(exchange);
      const outcome = await operations.begin(params, {
        ticket,
        requestId,
        ip,
        baseUrl,
        signal: leaving.signal,
        get gone() {
          return leaving.signal.aborted;
        },
        mutation: req.method === "POST",
        subscription: true,
      });
      exchange.outcome = codeOf(outcome) ?? "";
      if (outcome.kind === "refused") return refuse(exchange, outcome);
      if (outcome.kind === "result")
        return sendWhole(exchange, outcome.kept?.text ?? JSON.stringify(outcome.result));
      try {
        if (req.method === "HEAD") http.reply.send(exchange, 200, "text/event-stream", "", streamHeaders);
        else await follow(exchange, callerBucket(ticket.principal, ip), outcome.results, leaving);
      } finally {
        leaving.abort();
        // Not awaited: it may be computing a value that nobody needs.
        outcome.results.return().catch(nothing);
      }
    },
  };
}

const complete = "event: complete\ndata:\n\n";

/** One line, because JSON contains no raw line breaks. */
const toNext = (json: string): string => `event: next\ndata: ${json}\n\n`;

const nothing = (): void => {};
