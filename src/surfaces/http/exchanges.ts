import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { type Connection, connectionOf } from "./connection.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { decodeLoosely } from "./key-in-query.ts";
import { maxPath, redact } from "./problem.ts";
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
  const proxyHeader = options.proxyHeader.toLowerCase();
  const logsDebug = log.enabled("debug");
  const logsInfo = log.enabled("info");
  // The counter makes ids unique within the process, the start time (to the nanosecond if the clock allows) across
  // processes. Random ids would load node:crypto before the first answer, and an id is no secret.
  const prefix =
    runtime.now().toString(36) +
    Math.floor((runtime.monotonic() % 1) * 1e6)
      .toString(36)
      .padStart(4, "0");
  let count = 0;
  let unanswered = 0;
  let whenEmpty: (() => void) | undefined;
  let watch: NodeJS.Timeout | undefined;

  const nextId = (): string => `${prefix}-${(count++).toString(36)}`;

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

  /** Returns the client address, cached per connection, or per client behind a proxy. */
  function addressOf(req: IncomingMessage, connection: Connection): string {
    // Node returns a list only if the proxy header occurs more than once.
    const value = req.headers[proxyHeader];
    const header = typeof value === "object" ? value.join(",") : value;
    if (connection.ip !== undefined && connection.header === header) return connection.ip;
    const ip = clientIp(req.socket.remoteAddress, header);
    connection.header = header;
    connection.ip = ip;
    return ip;
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

  // 499 is nginx's status for a client that disconnected; it is never sent.
  function record(
    exchange: Exchange,
    time: number,
    status = exchange.res.headersSent ? exchange.res.statusCode : 499,
  ): void {
    const { req, principal, route } = exchange;
    const durationMs = time - exchange.startedAt;
    metrics.request(req.method ?? "", route, status, durationMs / 1000);
    const quiet = route === "/healthz" || route === "/readyz";
    if (!(quiet ? logsDebug : logsInfo)) return;
    log.request(quiet ? "debug" : "info", {
      requestId: exchange.requestId,
      method: req.method ?? "",
      path: logged(exchange.path),
      status,
      durationMs,
      bytesIn: exchange.bytesIn,
      bytesOut: exchange.bytesOut,
      ip: exchange.ip,
      account: principal?.account ?? "",
      keyId: principal?.keyId ?? "",
      sessionId: principal?.sessionId ?? "",
      tool: exchange.tool,
      operation: exchange.operation,
      outcome: exchange.outcome === "" ? "ok" : exchange.outcome,
    });
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

/** Returns a path for the log, shortened and without keys, percent-encoded or not. */
export function logged(path: string): string {
  const short = path.length > maxPath ? `${path.slice(0, maxPath)}…` : path;
  if (!/svc|eyJ|%/i.test(short)) return short;
  const plain = decodeLoosely(decodeLoosely(short));
  const shown = withoutSecrets(plain);
  return shown === plain ? short : shown.replaceAll(/\p{Cc}/gu, "?");
}

/** Masks keys, session tokens and JWTs, which occur in no path of the API. */
const withoutSecrets = (text: string): string =>
  redact(text).replaceAll(/eyJ[\w-]{10,}(?:\.[\w-]*)*/g, "eyJ…");

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Matches prefixes of keys, session tokens, common tokens and JWTs. The secret scanner knows more kinds, but every
 * start would have to load its rules.
 */
const tokens =
  /svc[._-](?:live|sess)|^(?:eyJ|gh[oprsu]_|github_|gl[a-z]{2,4}-|xox|xapp-|[prs]k[_-]|whsec_|AKIA|ASIA|AIza|ya29\.|npm_|pypi-|hf_|SG\.|dop_|shp[a-z]{2}_)/i;

/** Matches a sign-in code, and a key or a session token without its prefix. */
const shapes = /^(?:[0-9A-Za-z]{5}-){3}[0-9A-Za-z]{5}$|^[0-9A-Z]{20}$|^[0-9A-Za-z]{38}$/;

/** Length of a part of a credential that an id does not contain by chance. */
const telling = 16;

/**
 * Returns the request id chosen by the caller, which is logged and echoed; undefined if it is missing, malformed, or
 * possibly a credential in the wrong header.
 */
export function givenRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers["x-request-id"] as string | undefined;
  if (given === undefined || !acceptable.test(given) || tokens.test(given) || shapes.test(given))
    return undefined;
  return given.length >= telling && headers.authorization?.includes(given) === true ? undefined : given;
}
