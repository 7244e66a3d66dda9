import nodeAdapter from "crossws/adapters/node";
import { handleProtocols } from "graphql-ws";
import { type ErrorCode, ToolError } from "../../catalog/errors.ts";
import type { Upgrade } from "../http/exchange.ts";
import { describeFault } from "../http/fault.ts";
import type { Http } from "../http/http.ts";
import { originOf } from "../http/origin.ts";
import type { ConnectionLimiter } from "../http/connection-limiter.ts";
import { releaseSocket } from "../http/upgrade.ts";
import { addressBucket, callerBucket } from "../../services/access/buckets.ts";
import type { OperationEngine } from "./create-operations.ts";
import type { GraphqlDeps } from "./deps.ts";
import { createErrors } from "./errors.ts";

import { createCallers } from "./socket-callers.ts";
import { brake, close, closeFor, closeWhenDone, type Connection, cut } from "./socket-connection.ts";
import { createFlow } from "./socket-flow.ts";
import { createSocketProtocol } from "./socket-protocol.ts";
import { createWatch } from "./socket-watch.ts";

/** Time limits in milliseconds. Only tests change them. */
export interface SocketTimes {
  /** From the handshake to `connection_init`. */
  init: number;
  /** From a ping to any message of the client. */
  pong: number;
  /** Time in which a client must read some of its queued data. */
  slow: number;
  /**
   * Between two checks of the connections. Every node sees a revocation within half a second, so its sockets close
   * within a second.
   */
  look: number;
  /** For the client's answer to a close frame. */
  close: number;
}

/** Characters up to which a message of a refused caller is parsed, so that the refusal can carry its id. */
const smallMessage = 4096;

export const defaultTimes: SocketTimes = { init: 3000, pong: 10_000, slow: 10_000, look: 400, close: 2000 };

/**
 * Operations over WebSockets with graphql-transport-ws (github.com/enisdenjo/graphql-ws, PROTOCOL.md), for
 * `http.upgrade("/graphql", …)`. The credential is sent in `connection_init` or with the handshake; each operation is
 * counted.
 */
export function createSockets(
  http: Http,
  deps: Pick<
    GraphqlDeps,
    | "options"
    | "authenticate"
    | "runner"
    | "log"
    | "metrics"
    | "graphql"
    | "runtime"
    | "refusals"
    | "watchdog"
  >,
  operations: Pick<OperationEngine, "begin">,
  /** Shared with the event streams. */
  connections: ConnectionLimiter,
  times: Partial<SocketTimes> = {},
): Upgrade {
  const { graphql, log } = deps;
  const time = { ...defaultTimes, ...times };
  const open = new Set<Connection>();
  let stopping = false;
  const callers = createCallers(deps);
  const watch = createWatch({ open, callers, time, timeouts: http.timeouts, runtime: deps.runtime });
  const onFault = (error: unknown, requestId: string): void =>
    log.event("error", "internal error in an operation", { requestId, error: describeFault(error) });
  const protocol = createSocketProtocol({
    operations,
    errors: createErrors(http.basePath, (error, { requestId }) => onFault(error, requestId)),
    async identify(connection, params) {
      const principal = await callers.identify(connection, params);
      connection.slot.move(callerBucket(principal, connection.exchange.ip));
      return principal;
    },
    admit: (connection, params) => callers.admit(connection, params),
    nextId: http.nextId,
    maxSubscriptions: graphql.maxSubscriptions,
    initMs: time.init,
    onFault,
  });

  const adapter = nodeAdapter({
    // The watch sends its own pings, because it knows which clients are merely slow.
    idleTimeout: 0,
    getNamespace: () => "graphql",
    serverOptions: serverOptionsOf(graphql.maxBytes, time.close),
    hooks: {
      open(peer) {
        const begin = peer.context["begin"] as Begin;
        const connection = begin(peer);
        connection.socket.off("close", connection.end);
        peer.context["connection"] = connection;
        open.add(connection);
        watch.start();
        protocol.open(connection, peer.websocket.protocol ?? "");
      },
      message({ context }, message) {
        const connection = context["connection"] as Connection;
        if (connection.closing) return;
        watch.heard(connection);
        if (typeof message.rawData !== "string")
          return close(connection, 4400, "Messages must be text, not binary.");
        const refusal = callers.refusal(connection);
        if (refusal !== undefined && message.rawData.length > smallMessage)
          return closeFor(connection, refusal);
        deps.watchdog.enter(connection.exchange);
        void protocol.receive(connection, message.rawData);
      },
      ping({ context }, data) {
        watch.control(context["connection"] as Connection, data.length);
      },
      pong({ context }, data) {
        watch.control(context["connection"] as Connection, data.length);
      },
      drain({ context }) {
        const connection = context["connection"] as Connection;
        connection.flow.drained();
        if (connection.paused && !connection.closing && !connection.flow.isFull()) brake(connection, false);
      },
      error({ context }, error) {
        const { exchange, closing } = context["connection"] as Connection;
        // Invalid frames; the library has answered with the matching close code.
        if (!closing) exchange.outcome = outcomeOf(error);
      },
      close({ context }, { code = 1006, reason = "" }) {
        const connection = context["connection"] as Connection;
        open.delete(connection);
        if (open.size === 0) watch.stop();
        const { exchange } = connection;
        cut(connection, code === 1006 && exchange.outcome === "" ? "cancelled" : exchange.outcome);
        connection.end();
        void connection.closed(code, reason);
      },
    },
  });

  http.onLastAnswers(() => {
    stopping = true;
    for (const connection of open) {
      connection.ending = true;
      closeWhenDone(connection);
    }
  });

  return async (exchange, head) => {
    if (stopping) throw new ToolError("overloaded", "The server is shutting down.", { retryAfter: 1 });
    const { req, ip } = exchange;
    // The client left while this was being loaded, and is logged already.
    if (req.socket.destroyed) return;
    const slot = connections.acquire(addressBucket(ip));
    const writeLine = http.detach(exchange);
    const socket = releaseSocket(exchange);
    const before = { read: socket.bytesRead - head.length, written: socket.bytesWritten };
    exchange.route = route;
    const end = (): void => {
      slot.release();
      exchange.bytesIn = socket.bytesRead - before.read;
      exchange.bytesOut = socket.bytesWritten - before.written;
      writeLine(101);
    };
    // Until it is open; then the library reports its end.
    socket.once("close", end);
    const begin: Begin = (peer) => ({
      exchange,
      end,
      socket,
      slot,
      peer,
      baseUrl: originOf(exchange) + http.basePath,
      flow: createFlow(peer, socket, time.slow),
      authorization: undefined,
      text: "",
      beginning: 0,
      running: new Set(),
      paused: false,
      ending: false,
      closing: false,
      askedAt: deps.runtime.monotonic(),
      silent: false,
      readBytes: before.read,
      partialSince: undefined,
      receive: async () => {},
      closed() {},
    });
    // Stands for a Request, which nobody reads.
    await adapter.handleUpgrade(req, socket, head, { url: "/", context: { begin } } as never);
  };
}

/** The options of the WebSocket library. */
const serverOptionsOf = (maxPayload: number, closeTimeout: number): object => ({
  // Compression is off: a context for each connection would take more memory than everything else of it.
  perMessageDeflate: false,
  // Handles one message a turn of the event loop; a packet may hold hundreds.
  allowSynchronousEvents: false,
  clientTracking: false,
  maxPayload,
  // A megabyte in one-byte frames or packets is an attack.
  maxFragments: 1024,
  maxBufferedChunks: 16_384,
  closeTimeout,
  handleProtocols,
});

type Begin = (peer: Connection["peer"]) => Connection;

/** Separate route for metrics: an hour of being connected is no latency. */
const route = "/graphql (WebSocket)";

const outcomeOf = (error: Error): ErrorCode =>
  (error.message + String(error.cause ?? "")).includes("Max payload size exceeded")
    ? "body_too_large"
    : "invalid_input";
