import type { IncomingMessage, ServerResponse } from "node:http";
import { ToolError } from "../../catalog/errors.ts";
import type { Watchdog } from "../../services/telemetry/watchdog.ts";
import type { Exchange, Route } from "./exchange.ts";
import type { Exchanges } from "./exchanges.ts";
import { faultOfHead } from "./head.ts";
import { keyInQuery } from "./key-in-query.ts";
import { isFinished, lastOn } from "./last-request.ts";
import { nothingHere } from "./problem.ts";
import type { Reply } from "./reply.ts";
import { handled } from "./route.ts";
import { decodePath } from "./target.ts";
import type { Uncounted } from "./uncounted.ts";

export interface BeginDeps {
  exchanges: Exchanges;
  /** Routes that are served with and without the base path. */
  operational: ReadonlyMap<string, Route>;
  /** Checks the exchange and passes it to its route; `handled` if there was one. */
  serve(exchange: Exchange): unknown;
  fail(exchange: Exchange, error: unknown): void;
  reply: Reply;
  uncounted: Uncounted;
  watchdog: Pick<Watchdog, "enter">;
}

/** Returns the function that makes a request an exchange, and has it answered whatever happens. */
export function createBegin({
  exchanges,
  operational,
  serve,
  fail,
  reply,
  uncounted,
  watchdog,
}: BeginDeps): (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean) => void {
  /** Serves only a probe on a connection beyond the limit, and closes it to make room for the next probe. */
  function reserveForProbes({ path, req, res }: Exchange): void {
    lastOn(req.socket, res);
    if (operational.get(path)?.isProbe !== true)
      throw new ToolError("overloaded", "Too many connections are open.", { retryAfter: 1 });
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

  return (req, res, expectsContinue) => {
    if (isFinished(req.socket)) return;
    const exchange = exchanges.open(req, res, expectsContinue);
    watchdog.enter(exchange);
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
  };
}
