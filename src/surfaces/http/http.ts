import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ToolError, type ErrorCode } from "../../catalog/errors.ts";
import { type Admission, createAdmission } from "./admission.ts";
import { createBodyReader, gone, type BodyReader } from "./body.ts";
import { createCors } from "./cors.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange, Route, Upgrade } from "./exchange.ts";
import { createExchanges, logged } from "./exchanges.ts";
import { describeFault } from "./fault.ts";
import { createGate } from "./gate.ts";
import { faultOfHead } from "./head.ts";
import { keyInQuery } from "./key-in-query.ts";
import { operationalRoutes } from "./operational.ts";
import { isFinished, lastOn } from "./last-request.ts";
import { nothingHere, problemType, toProblem, type RefusalPage } from "./problem.ts";
import { createPipelining } from "./pipelining.ts";
import { createReply, type Reply } from "./reply.ts";
import { dispatch, handled } from "./route.ts";
import { createRouter } from "./router.ts";
import { decodePath, parseTarget, stripBase } from "./target.ts";
import { defaultTimeouts, type Timeouts } from "./timeouts.ts";
import { createUncounted, type Uncounted } from "./uncounted.ts";

/** Most bytes of large answers that wait for slow readers: twice the largest result of a tool. */
const maxUnsentBytes = 134_217_728;

/** The HTTP shell that all surfaces share. */
export interface Http extends Admission {
  /** For `openListener`. */
  handle(req: IncomingMessage, res: ServerResponse, expectsContinue?: boolean): void;
  /** Adds a route. */
  route(route: Route): void;
  /**
   * Sets how refusals are shown to people. `show` returns undefined if the client gets problem details; `pageOf` makes the
   * page of a refusal without a request.
   */
  showRefusals(
    show: (exchange: Exchange, error: unknown) => Promise<void> | undefined,
    pageOf: (error: ToolError, requestId: string) => Promise<RefusalPage>,
  ): void;
  /** Returns the page of a refusal; undefined if there are no pages. */
  pageOf(error: ToolError, requestId: string): Promise<RefusalPage | undefined>;
  /** Accepts WebSockets on a path. Upgrades to other protocols, or on other paths, are handled as ordinary requests. */
  upgrade(path: string, take: Upgrade): void;
  /** For `openListener`: whether the request is a WebSocket handshake to hand over. */
  isUpgrade(req: IncomingMessage): boolean;
  takeUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Stops tracking a handshake that became a WebSocket. Returns a function that writes its log line. */
  detach(exchange: Exchange): (status: number) => void;
  /** Ends all WebSockets. */
  cutUpgraded(): void;
  readonly uncounted: Uncounted;
  readonly reply: Reply;
  readonly body: BodyReader;
  readonly timeouts: Timeouts;
  readonly basePath: string;
  /** Number of requests being served. */
  inFlight(): number;
  /** Logs and counts input that was refused before it became a request. */
  refused(status: number, code: ErrorCode, requestId: string): void;
  /** Sets the listening address, before the first request. A server on loopback refuses foreign host names. */
  listensOn(address: string): void;
  /** Returns a request id. */
  nextId(): string;
  /** The responses that a connection still owes, in the order of their requests. */
  owed(socket: Socket): ServerResponse[];
  /** Makes every further answer close its connection. */
  lastAnswers(): void;
  /**
   * Calls back when `lastAnswers` is called, so that waiting or endless answers can end. Returns a function that
   * unregisters.
   */
  onLastAnswers(listener: () => void): () => void;
  /** Resolves when no request is left, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

export function createHttp(deps: HttpDeps): Http {
  const { options, log, runtime } = deps;
  const timeouts: Timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const body = createBodyReader({
    limit: options.bodyLimit,
    total: Math.max(options.bodyLimit * 4, 100_663_296),
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
  const pipelining = createPipelining({
    loop: deps.loop,
    begin,
    onFlood: () => deps.metrics.connectionClosed("flood"),
  });
  const cors = createCors(options.corsOrigins);
  const gate = createGate(deps, (origin) => cors?.allows(origin) ?? false);
  const operational = new Map(operationalRoutes(deps, reply).map((one) => [one.path, one]));
  const router = createRouter();
  const ending = new Set<() => void>();
  const upgrades = new Map<string, Upgrade>();
  const upgraded = new Set<Socket>();
  const refusers = new Map<string, NonNullable<Route["refuse"]>>();
  let shown: Parameters<Http["showRefusals"]> | undefined;

  // Order of checks: request id and base path (exchanges.ts), then load and sending site, before anything is counted.
  // Routes check credential and quota themselves, because documents are free, then the query for keys, which counts.
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
    if (exchanges.size() <= options.maxConcurrency || exchanges.unanswered() <= options.maxConcurrency)
      return undefined;
    throw new ToolError("overloaded", "Too many requests are being served.", { retryAfter: 1 });
  }

  function share(exchange: Exchange): unknown {
    if (cors?.apply(exchange) !== true) return undefined;
    uncounted.take(exchange);
    reply.sendEmpty(exchange, 204);
    return handled;
  }

  function route(added: Route): void {
    if (added.refuse !== undefined) refusers.set(added.path, added.refuse);
    for (const name of added.requestHeaders ?? []) cors?.allowHeader(name);
    router.add(added.path, (exchange) =>
      dispatch(added, exchange, { reply, uncounted }, keyInQuery(exchange.query)),
    );
  }

  function handle(req: IncomingMessage, res: ServerResponse, expectsContinue = false): void {
    if (!pipelining.hold(req, res, expectsContinue)) begin(req, res, expectsContinue);
  }

  function begin(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    if (isFinished(req.socket)) return;
    const exchange = exchanges.open(req, res, expectsContinue);
    deps.watchdog.enter(exchange);
    try {
      const fault = faultOfHead(req);
      // Bytes of another protocol may follow such a request, and a proxy may have taken them for its body.
      if (fault !== undefined || req.headers.upgrade !== undefined) lastOn(req.socket, res);
      if (fault !== undefined) throw fault;
      if (exchange.connection.isReserved) reserveForProbes(exchange);
      if ((!exchange.inside && !operational.has(exchange.path)) || decodePath(exchange.path) === undefined)
        return refuseUnknown(exchange);
      if (exchange.path === "*")
        return reply.sendEmpty(exchange, 204, ["Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]);
      const outcome = serve(exchange);
      if (outcome instanceof Promise) {
        outcome.then(
          (value) => settle(exchange, value),
          (error: unknown) => fail(exchange, error),
        );
      } else settle(exchange, outcome);
    } catch (error) {
      fail(exchange, error);
    }
  }

  /** Serves only a probe on a connection beyond the limit, and closes it to make room for the next probe. */
  function reserveForProbes({ path, req, res }: Exchange): void {
    lastOn(req.socket, res);
    if (operational.get(path)?.isProbe !== true)
      throw new ToolError("overloaded", "Too many connections are open.", { retryAfter: 1 });
  }

  /** Returns the handler of a WebSocket handshake; undefined for any other request. */
  function upgradeFor({ method, url = "", headers }: IncomingMessage): Upgrade | undefined {
    if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return undefined;
    // A handshake has no body.
    if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0)
      return undefined;
    return upgrades.get(toRoute(stripBase(parseTarget(url).path, options.basePath) ?? ""));
  }

  async function takeUpgrade(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    upgraded.add(socket);
    socket.on("close", () => upgraded.delete(socket));
    // Without a listener, a reset by the client would end the process.
    socket.on("error", () => socket.destroy());
    const { openUpgrade } = await import("./upgrade.ts");
    const take = upgradeFor(req) as Upgrade;
    await openUpgrade({ open: exchanges.open, fail, gate, uncounted }, { req, socket, head, take });
  }

  /** Refuses an exchange that no route handled. */
  function settle(exchange: Exchange, value: unknown): void {
    if (value !== handled) refuseUnknown(exchange);
  }

  function refuseUnknown(exchange: Exchange): void {
    try {
      uncounted.take(exchange);
      fail(exchange, keyInQuery(exchange.query) ?? nothingHere());
    } catch (error) {
      fail(exchange, error);
    }
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { res } = exchange;
    if (error === gone || res.destroyed) {
      exchange.outcome = "cancelled";
      return;
    }
    exchange.outcome = error instanceof ToolError ? error.code : "internal";
    if (exchange.outcome === "internal") {
      log.event("error", "internal error in a request", {
        requestId: exchange.requestId,
        path: logged(exchange.path),
        error: describeFault(error),
      });
    }
    if (res.headersSent) return void res.destroy();
    const refuse = refusers.get(toRoute(exchange.path)) ?? shown?.[0];
    const refusing = refuse?.(exchange, error);
    if (refusing === undefined) sendProblem(exchange, error);
    else refusing.catch(() => sendProblem(exchange, error));
  }

  function sendProblem(exchange: Exchange, error: unknown): void {
    if (exchange.res.headersSent) return void exchange.res.destroy();
    const { status, body: text, headers } = toProblem(error, exchange, options.basePath);
    reply.send(exchange, status, problemType, text, headers);
  }

  return {
    handle,
    route,
    showRefusals: (...ways) => void (shown = ways),
    pageOf: async (...refusal) => shown?.[1](...refusal),
    upgrade: (path, take) => void upgrades.set(path, take),
    // Earlier requests of the connection must be answered first.
    isUpgrade: (req) =>
      upgradeFor(req) !== undefined && !isFinished(req.socket) && exchanges.owed(req.socket).length === 0,
    takeUpgrade: (req, socket, head) =>
      void takeUpgrade(req, socket as Socket, head).catch(() => socket.destroy()),
    detach: exchanges.detach,
    cutUpgraded() {
      for (const socket of upgraded) socket.destroy();
    },
    ...createAdmission({ ...deps, uncounted }),
    uncounted,
    reply,
    body,
    timeouts,
    basePath: options.basePath,
    inFlight: exchanges.size,
    listensOn: gate.listensOn,
    nextId: exchanges.nextId,
    owed: exchanges.owed,
    refused(status, code, requestId) {
      deps.metrics.request("other", "malformed", status, 0);
      log.event("info", "malformed request refused", { requestId, status, outcome: code });
    },
    lastAnswers() {
      reply.close();
      for (const end of ending) end();
    },
    onLastAnswers(listener) {
      ending.add(listener);
      return () => void ending.delete(listener);
    },
    drain: exchanges.drain,
  };
}

/** Removes a trailing slash, which the router ignores. */
const toRoute = (path: string): string => path.replace(/(?<=.)\/$/, "");
