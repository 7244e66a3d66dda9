import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { H3 } from "h3/generic";
import { ToolError, type ErrorCode } from "../../catalog/errors.ts";
import { createAdmit, type Admit } from "./admission.ts";
import { createBodyReader, gone, type BodyReader } from "./body.ts";
import { createCors } from "./cors.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange, Route } from "./exchange.ts";
import { createExchanges, logged } from "./exchanges.ts";
import { describeFault } from "./fault.ts";
import { faultOfHead } from "./head.ts";
import { keyInQuery } from "./key-in-query.ts";
import { exchangeOf, handled, toEvent } from "./node-adapter.ts";
import { operationalRoutes } from "./operational.ts";
import { problemType, toProblem } from "./problem.ts";
import { createReply, type Reply } from "./reply.ts";
import { dispatch } from "./route.ts";
import { defaultTimeouts, type Timeouts } from "./timeouts.ts";

/** Bytes of large answers that wait for slow readers: three of the largest that a tool gives. */
const unsentTotal = 402_653_184;

/** The shell that every surface over HTTP lives in. */
export interface Http {
  /** For `openListener`. */
  handle(req: IncomingMessage, res: ServerResponse, expectsContinue?: boolean): void;
  /** Adds what a surface answers. */
  route(route: Route): void;
  readonly admit: Admit;
  readonly reply: Reply;
  readonly body: BodyReader;
  readonly timeouts: Timeouts;
  readonly basePath: string;
  /** Requests that are being served. */
  inFlight(): number;
  /** Tells of a request that was refused before it was one. */
  refused(status: number, code: ErrorCode, requestId: string): void;
  /** A request id for it. */
  nextId(): string;
  /** The answers that a connection still owes, in the order of their requests. */
  owed(socket: Socket): ServerResponse[];
  /** From now on every answer closes its connection. */
  lastAnswers(): void;
  /** Called when that begins: an answer that waits, or has no end, is to end then. Returns how to end that. */
  onLastAnswers(listener: () => void): () => void;
  /** Resolves when no request is left, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

export function createHttp(deps: HttpDeps): Http {
  const { options, log, now, monotonic } = deps;
  const timeouts: Timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const reply = createReply({ now, monotonic, timeouts, total: unsentTotal });
  const body = createBodyReader({
    limit: options.bodyLimit,
    total: Math.max(options.bodyLimit * 8, 268_435_456),
    timeouts,
    monotonic,
  });
  const exchanges = createExchanges(deps, timeouts, (exchange) => {
    body.release(exchange);
    reply.release(exchange);
  });
  const cors = createCors(options.corsOrigins);
  const operational = new Map(operationalRoutes(deps, reply).map((one) => [one.path, one]));
  const app = new H3();
  const ending = new Set<() => void>();

  // The order in which a request is judged. The request id and the base path came before (exchanges.ts); who is
  // calling and how often comes after, in the routes, because documents are free; and a key in the query only then,
  // because a call that has one is a call.
  app.use((event) => {
    const exchange = exchangeOf(event);
    return probe(exchange) ?? shedLoad() ?? share(exchange);
  });

  /** Probes and scrapes are answered even when there is no room for anything else. */
  function probe(exchange: Exchange): unknown {
    const found = operational.get(exchange.path);
    return found === undefined ? undefined : dispatch(found, exchange, reply);
  }

  function shedLoad(): undefined {
    if (exchanges.size() <= options.maxConcurrency || exchanges.unanswered() <= options.maxConcurrency)
      return undefined;
    throw new ToolError("overloaded", "Too many requests are being served.", { retryAfter: 1 });
  }

  function share(exchange: Exchange): unknown {
    if (cors?.apply(exchange) !== true) return undefined;
    reply.sendEmpty(exchange, 204);
    return handled;
  }

  function route(added: Route): void {
    app.all(added.path, (event) => {
      const exchange = exchangeOf(event);
      return dispatch(added, exchange, reply, keyInQuery(exchange.query));
    });
  }

  function handle(req: IncomingMessage, res: ServerResponse, expectsContinue = false): void {
    const exchange = exchanges.open(req, res, expectsContinue);
    try {
      const fault = faultOfHead(req);
      if (fault !== undefined) {
        res.shouldKeepAlive = false;
        throw fault;
      }
      if (!exchange.inside && !operational.has(exchange.path)) throw nothingHere();
      if (!isDecodable(exchange.path)) throw nothingHere();
      if (exchange.path === "*")
        return reply.sendEmpty(exchange, 204, ["Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]);
      const outcome = app.handler(toEvent(exchange, app));
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

  /** h3 hands on a symbol of its own where no route matched. */
  function settle(exchange: Exchange, value: unknown): void {
    if (value !== handled) fail(exchange, keyInQuery(exchange.query) ?? nothingHere());
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { res } = exchange;
    if (error === gone || res.destroyed) {
      exchange.outcome = "cancelled";
      return;
    }
    exchange.outcome = error instanceof ToolError ? error.code : "internal";
    if (exchange.outcome === "internal") {
      log.event("error", "a request failed on a fault of ours", {
        requestId: exchange.requestId,
        path: logged(exchange.path),
        error: describeFault(error),
      });
    }
    if (res.headersSent) return void res.destroy();
    const { status, body: text, headers } = toProblem(error, exchange, options.basePath);
    reply.send(exchange, status, problemType, text, headers);
  }

  return {
    handle,
    route,
    admit: createAdmit(deps),
    reply,
    body,
    timeouts,
    basePath: options.basePath,
    inFlight: exchanges.size,
    nextId: exchanges.nextId,
    owed: exchanges.owed,
    refused(status, code, requestId) {
      deps.metrics.request("other", "malformed", status, 0);
      log.event("info", "a request was refused before it was one", { requestId, status, outcome: code });
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

const nothingHere = (): ToolError =>
  new ToolError(
    "not_found",
    "There is nothing here. GET /api/tools lists the tools, POST /api/tools/<slug> runs one.",
  );

function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
