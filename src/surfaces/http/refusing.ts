import { ToolError } from "../../catalog/errors.ts";
import type { Log } from "../../services/telemetry/log.ts";
import { gone } from "./body.ts";
import type { Exchange, Route } from "./exchange.ts";
import { logged } from "./request-log.ts";
import { describeFault } from "./fault.ts";
import { problemType, type RefusalPage, toProblem } from "./problem.ts";
import type { Reply } from "./reply.ts";
import { toRoute } from "./target.ts";

/** Shows a refusal to a person; returns undefined if the client gets problem details. */
export type ShowRefusal = (exchange: Exchange, error: unknown) => Promise<void> | undefined;

/** Makes the page of a refusal without a request. */
export type PageOfRefusal = (error: ToolError, requestId: string) => Promise<RefusalPage>;

/** Answers requests that failed: with problem details, in the format of the route, or with a page. */
export interface Refusing {
  /** Answers with the error, which is logged if it is a bug. */
  fail(exchange: Exchange, error: unknown): void;
  /** Adds the format of a route, if it has one. */
  add(route: Route): void;
  show(show: ShowRefusal, pageOf: PageOfRefusal): void;
  /** Returns the page of a refusal; undefined if there are no pages. */
  pageOf(error: ToolError, requestId: string): Promise<RefusalPage | undefined>;
}

export function createRefusing({
  log,
  reply,
  basePath,
}: {
  log: Log;
  reply: Reply;
  basePath: string;
}): Refusing {
  const formats = new Map<string, NonNullable<Route["refuse"]>>();
  let pages: { show: ShowRefusal; pageOf: PageOfRefusal } | undefined;

  function sendProblem(exchange: Exchange, error: unknown): void {
    if (exchange.res.headersSent) return void exchange.res.destroy();
    const { status, body, headers } = toProblem(error, exchange, basePath);
    reply.send(exchange, status, problemType, body, headers);
  }

  return {
    fail(exchange, error) {
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
      const refuse = formats.get(toRoute(exchange.path)) ?? pages?.show;
      const refusing = refuse?.(exchange, error);
      if (refusing === undefined) sendProblem(exchange, error);
      else refusing.catch(() => sendProblem(exchange, error));
    },
    add({ path, refuse }) {
      if (refuse !== undefined) formats.set(path, refuse);
    },
    show: (show, pageOf) => void (pages = { show, pageOf }),
    pageOf: async (...refusal) => pages?.pageOf(...refusal),
  };
}
