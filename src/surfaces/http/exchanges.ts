import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Connection, connectionOf, createAddressOf } from "./connection.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { createRequestIds, givenRequestId } from "./request-id.ts";
import { createRequestLog } from "./request-log.ts";
import { parseTarget, stripBase } from "./target.ts";
import type { Timeouts } from "./timeouts.ts";

/** An exchange with the state by which the shell tracks it. */
export interface OpenExchange extends Exchange {
  /** Whether the path is below the base path. */
  readonly inside: boolean;
  readonly connection: Connection;
  /** Whether the head of the answer was sent. */
  isAnswered: boolean;
  /** Index in the list of open exchanges; -1 when it is over. */
  slot: number;
}

/** All requests being served: opened, watched for deadlines and logged. */
export interface Exchanges {
  open(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): OpenExchange;
  size(): number;
  /**
   * Requests without an answer yet. The rest wait for a slow reader, or for the end of a body that nobody reads; they
   * cause no work, so they must not count as load.
   */
  unanswered(): number;
  /** Call it when the head of an answer is sent. */
  answered(exchange: Exchange): void;
  /** Returns a request id, for input that was refused before it became a request. */
  nextId(): string;
  /** The responses that a connection still owes, in the order of their requests. */
  owed(socket: Socket): ServerResponse[];
  /** Stops tracking an exchange that became a WebSocket. Returns a function that writes its log line. */
  detach(exchange: Exchange): (status: number) => void;
  drain(graceMs: number): Promise<void>;
}

const exchangeKey = Symbol("exchange");
const nothing: readonly string[] = [];

type TrackedResponse = ServerResponse & { [exchangeKey]?: OpenExchange };

export function createExchanges(
  { options, clientIp, log, metrics, runtime }: HttpDeps,
  timeouts: Timeouts,
  /** Called when an exchange has ended. */
  release: (exchange: OpenExchange) => void,
): Exchanges {
  // An array, because with a Set under this churn many requests survived V8's minor collections (its outgrown tables
  // reference the next one and keep their contents alive), which cost a fifth of the throughput.
  const open: OpenExchange[] = [];
  const addressOf = createAddressOf(clientIp, options.proxyHeader);
  const nextId = createRequestIds(runtime);
  const record = createRequestLog(log, metrics);
  let unanswered = 0;
  let whenEmpty: (() => void) | undefined;
  let watch: NodeJS.Timeout | undefined;

  function begin(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): OpenExchange {
    const { path, query } = parseTarget(req.url ?? "/");
    const below = stripBase(path, options.basePath);
    const connection = connectionOf(req.socket);
    const exchange: OpenExchange = {
      req,
      res,
      requestId: givenRequestId(req.headers) ?? nextId(),
      path: below ?? path,
      query,
      inside: below !== undefined,
      connection,
      isAnswered: false,
      slot: open.length,
      startedAt: runtime.monotonic(),
      route: "other",
      ip: addressOf(req, connection),
      visit: false,
      principal: undefined,
      quota: undefined,
      tool: "",
      operation: "",
      outcome: "",
      error: undefined,
      bytesIn: 0,
      bytesOut: 0,
      bodyRead: false,
      expectsContinue,
      extra: nothing,
      deadline: Infinity,
      onDeadline: undefined,
      onGone: undefined,
      upload: undefined,
      held: 0,
      unsent: 0,
    };
    open.push(exchange);
    unanswered += 1;
    connection.owed += 1;
    (res as TrackedResponse)[exchangeKey] = exchange;
    // One shared listener; it finds the exchange on the response.
    res.on("close", onClose);
    watch ??= setInterval(sweep, timeouts.sweep).unref();
    return exchange;
  }

  function onClose(this: ServerResponse): void {
    const exchange = (this as TrackedResponse)[exchangeKey];
    if (exchange === undefined || exchange.slot === -1) return;
    const time = runtime.monotonic();
    remove(exchange, time);
    if (!this.writableFinished) {
      if (exchange.outcome === "") exchange.outcome = "cancelled";
      exchange.onGone?.(exchange);
    }
    release(exchange);
    record(exchange, time);
    if (open.length === 0) whenEmpty?.();
  }

  /** Moves the last exchange into the freed slot. */
  function remove(exchange: OpenExchange, time: number): void {
    const last = open.pop();
    if (last !== undefined && last !== exchange) {
      open[exchange.slot] = last;
      last.slot = exchange.slot;
    }
    exchange.slot = -1;
    answered(exchange);
    const { connection } = exchange;
    connection.owed -= 1;
    if (connection.owed === 0) {
      connection.idleSince = time;
      connection.readBytes = connection.socket.bytesRead;
    }
  }

  function answered(exchange: Exchange): void {
    if ((exchange as OpenExchange).isAnswered) return;
    (exchange as OpenExchange).isAnswered = true;
    unanswered -= 1;
  }

  function sweep(): void {
    const time = runtime.monotonic();
    // Ending an exchange removes it from the list only after this turn.
    for (const exchange of open) {
      if (exchange.deadline > time) continue;
      exchange.deadline = Infinity;
      exchange.onDeadline?.(exchange);
    }
  }

  return {
    open: begin,
    size: () => open.length,
    nextId,
    unanswered: () => unanswered,
    answered,
    owed(socket) {
      const { owed, waiting } = connectionOf(socket);
      if (owed + waiting.length === 0) return [];
      const begun = open
        .filter(({ req }) => req.socket === socket)
        .toSorted((one, other) => one.startedAt - other.startedAt);
      return [...begun, ...waiting].map(({ res }) => res);
    },
    detach(exchange) {
      (exchange as OpenExchange).connection.isUpgraded = true;
      remove(exchange as OpenExchange, runtime.monotonic());
      if (open.length === 0) whenEmpty?.();
      return (status) => record(exchange, runtime.monotonic(), status);
    },
    async drain(graceMs) {
      if (open.length > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, graceMs);
        whenEmpty = resolve;
        await promise;
        clearTimeout(timer);
      }
      clearInterval(watch);
      watch = undefined;
    },
  };
}
