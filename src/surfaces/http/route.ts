import { ToolError } from "../../catalog/errors.ts";
import type { Exchange, Handler, Method, Route } from "./exchange.ts";
import type { Reply } from "./reply.ts";
import { crossSite } from "./sites.ts";
import type { Uncounted } from "./uncounted.ts";

/** The result of a handler that has answered. */
export const handled: unique symbol = Symbol("handled");

/** Dispatches by method. h3 would answer a wrong method with 404 and leave HEAD and OPTIONS to each handler. */
export function dispatch(
  route: Route,
  exchange: Exchange,
  { reply, uncounted }: { reply: Reply; uncounted: Uncounted },
  /** A fault of the request whatever its method. */
  fault?: ToolError,
): typeof handled | Promise<typeof handled> {
  const { methods } = route;
  if (exchange.visit && route.page !== true) throw crossSite();
  const method = exchange.req.method ?? "";
  exchange.route = route.template ?? route.path;
  const handler: Handler | undefined = methods[(method === "HEAD" ? "GET" : method) as Method];
  const isCounted = handler !== undefined && fault === undefined && route.isCounted === true;
  if (free.has(method) && !isCounted && route.isProbe !== true) uncounted.take(exchange);
  const pending =
    fault !== undefined
      ? refuse(route, exchange, fault)
      : handler === undefined
        ? refuseMethod(route, exchange, reply)
        : handler(exchange);
  return pending instanceof Promise ? pending.then(answered) : handled;
}

function refuseMethod(route: Route, exchange: Exchange, reply: Reply): void | Promise<void> {
  const allow = allowed(route);
  if (exchange.req.method === "OPTIONS") return reply.sendEmpty(exchange, 204, ["Allow", allow.join(", ")]);
  return refuse(
    route,
    exchange,
    new ToolError("method_not_allowed", `Use ${allow.join(", ")} here.`, { allow }),
  );
}

/** @throws ToolError the refusal, or the error of counting it. */
function refuse(route: Route, exchange: Exchange, refusal: ToolError): Promise<void> {
  // Methods that only read are free on every path, even if they are refused.
  const before = free.has(exchange.req.method ?? "") ? undefined : route.beforeRefusal?.(exchange);
  if (!(before instanceof Promise)) throw refusal;
  return before.then(() => {
    throw refusal;
  });
}

const free = new Set(["GET", "HEAD", "OPTIONS"]);

function allowed({ methods }: Route): string[] {
  const names = Object.keys(methods);
  return [...names.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])), "OPTIONS"];
}

const answered = (): typeof handled => handled;
