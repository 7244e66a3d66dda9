import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ToolError, type ErrorCode } from "../../catalog/errors.ts";
import { type Admission, createAdmission } from "./admission.ts";
import { createBegin } from "./begin.ts";
import { createBodyReader, type BodyReader } from "./body.ts";
import { createCors } from "./cors.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange, Route } from "./exchange.ts";
import { createExchanges, type Exchanges } from "./exchanges.ts";
import { createGate, type Gate } from "./gate.ts";
import { keyInQuery } from "./key-in-query.ts";
import { operationalRoutes } from "./operational.ts";
import { createPipelining } from "./pipelining.ts";
import { createRefusing, type Refusing } from "./refusing.ts";
import { createReply, type Reply } from "./reply.ts";
import { dispatch, handled } from "./route.ts";
import { createRouter } from "./router.ts";
import { defaultTimeouts, type Timeouts } from "./timeouts.ts";
import { createUncounted, type Uncounted } from "./uncounted.ts";
import { createWebSockets, type WebSockets } from "./web-sockets.ts";

/** Most bytes of large answers that wait for slow readers: twice the largest result of a tool. */
const maxUnsentBytes = 134_217_728;

/** The HTTP shell that all surfaces share: they add routes to it, read bodies with it and answer with it. */
export interface Http extends Admission {
  /** Adds a route. */
  route(route: Route): void;
  /** Accepts WebSockets on a path. */
  upgrade: WebSockets["accept"];
  /** Stops tracking a handshake that became a WebSocket. Returns a function that writes its log line. */
  detach: Exchanges["detach"];
  /** Sets how refusals are shown to people. */
  showRefusals: Refusing["show"];
  readonly uncounted: Uncounted;
  readonly reply: Reply;
  readonly body: BodyReader;
  readonly timeouts: Timeouts;
  readonly basePath: string;
  /** Returns a request id. */
  nextId(): string;
  /** Number of requests being served. */
  inFlight(): number;
  /**
   * Calls back when the server begins to stop, so that waiting or endless answers can end. Returns a function that
   * unregisters.
   */
  onLastAnswers(listener: () => void): () => void;
  readonly intake: Intake;
}

/** The part of the shell that the listener uses (`listen.ts`, `client-error.ts`). */
export interface Intake {
  handle(req: IncomingMessage, res: ServerResponse, expectsContinue?: boolean): void;
  readonly webSockets: Pick<WebSockets, "isHandshake" | "take" | "cut">;
  /** Sets the listening address, before the first request. A server on loopback refuses foreign host names. */
  listensOn: Gate["listensOn"];
  /** The responses that a connection still owes, in the order of their requests. */
  owed(socket: Socket): ServerResponse[];
  /** Logs and counts input that was refused before it became a request. */
  refused(status: number, code: ErrorCode, requestId: string): void;
  pageOf: Refusing["pageOf"];
  /** Makes every further answer close its connection, and calls the listeners of `onLastAnswers`. */
  lastAnswers(): void;
  /** Resolves when no request is left, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

export function createHttp(deps: HttpDeps): Http {
  const { options, log, runtime } = deps;
  const { basePath, bodyLimit, maxConcurrency } = options;
  const timeouts: Timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const body = createBodyReader({
    limit: bodyLimit,
    total: Math.max(bodyLimit * 4, 100_663_296),
    timeouts,
    runtime,
  });
  const exchanges = createExchanges(deps, timeouts, (exchange) => {
    body.release(exchange);
    reply.release(exchange);
    pipelining.ended(exchange.connection);
  });
  const reply = createReply({
    ...options,
    runtime,
    timeouts,
    loop: deps.loop,
    total: maxUnsentBytes,
    onHead: exchanges.answered,
  });
  const uncounted = createUncounted({ ...options, perMinute: options.freePerMinute, runtime });
  const cors = createCors(options.corsOrigins);
  const gate = createGate(deps, (origin) => cors?.allows(origin) ?? false);
  const operational = new Map(operationalRoutes(deps, reply).map((one) => [one.path, one]));
  const router = createRouter();
  const refusing = createRefusing({ log, reply, basePath });
  const { fail } = refusing;
  const begin = createBegin({ ...deps, exchanges, operational, serve, fail, reply, uncounted });
  const pipelining = createPipelining({
    loop: deps.loop,
    begin,
    onFlood: () => deps.metrics.connectionClosed("flood"),
  });
  const webSockets = createWebSockets({ exchanges, basePath, fail, gate, uncounted });
  const ending = new Set<() => void>();

  // Order of checks: request id and base path (exchanges.ts), the head (begin.ts), then load and sending site, before anything
  // is counted. Routes check credential and quota themselves, because documents are free, then the query for keys, which counts.
  function serve(exchange: Exchange): unknown {
    const checked = probe(exchange) ?? shedLoad() ?? share(exchange) ?? gate.check(exchange);
    if (checked === undefined) return router.route(exchange);
    return checked instanceof Promise
      ? checked.then((answer: unknown) => answer ?? router.route(exchange))
      : checked;
  }

  /** Answers probes and scrapes at any load. */
  function probe(exchange: Exchange): unknown {
    const found = operational.get(exchange.path);
    if (found === undefined) return undefined;
    // Orchestrators may probe under any host name.
    const pending = found.path === "/metrics" ? gate.check(exchange) : gate.checkSite(exchange);
    if (pending === undefined) return dispatch(found, exchange, { reply, uncounted });
    return pending.then(() => dispatch(found, exchange, { reply, uncounted }));
  }

  function shedLoad(): undefined {
    if (exchanges.size() <= maxConcurrency || exchanges.unanswered() <= maxConcurrency) return undefined;
    throw new ToolError("overloaded", "Too many requests are being served.", { retryAfter: 1 });
  }

  function share(exchange: Exchange): unknown {
    if (cors?.apply(exchange) !== true) return undefined;
    uncounted.take(exchange);
    reply.sendEmpty(exchange, 204);
    return handled;
  }

  return {
    ...createAdmission({ ...deps, uncounted }),
    route(added) {
      refusing.add(added);
      for (const name of added.requestHeaders ?? []) cors?.allowHeader(name);
      router.add(added.path, (exchange) =>
        dispatch(added, exchange, { reply, uncounted }, keyInQuery(exchange.query)),
      );
    },
    upgrade: webSockets.accept,
    detach: exchanges.detach,
    showRefusals: refusing.show,
    uncounted,
    reply,
    body,
    timeouts,
    basePath,
    nextId: exchanges.nextId,
    inFlight: exchanges.size,
    onLastAnswers(listener) {
      ending.add(listener);
      return () => void ending.delete(listener);
    },
    intake: {
      handle(req, res, expectsContinue = false) {
        if (!pipelining.hold(req, res, expectsContinue)) begin(req, res, expectsContinue);
      },
      webSockets,
      listensOn: gate.listensOn,
      owed: exchanges.owed,
      refused(status, code, requestId) {
        deps.metrics.request("other", "malformed", status, 0);
        log.event("info", "malformed request refused", { requestId, status, outcome: code });
      },
      pageOf: refusing.pageOf,
      lastAnswers() {
        reply.close();
        for (const end of ending) end();
      },
      drain: exchanges.drain,
    },
  };
}
