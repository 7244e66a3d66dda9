import { H3Event, type H3 } from "h3/generic";
import type { Exchange } from "./exchange.ts";

/**
 * An exchange as h3's event. h3's own adapters turn each request and answer into the classes of the Fetch standard;
 * loading those costs 38 ms at start and building them costs more per request than all that we do. So the event is
 * made over the least that h3's router and middleware read (method, URL, context), handlers write to Node's
 * response, and `H3#fetch`, which would build a Response from the outcome, is not on the way: `H3#handler` is.
 */
export function toEvent(exchange: Exchange, app: H3): H3Event {
  const { req, res, path, query } = exchange;
  const url = Object.create(urlPrototype) as { pathname: string; search: string };
  url.pathname = path;
  url.search = query === "" ? "" : `?${query}`;
  const request = {
    method: req.method,
    url: path,
    _url: url,
    runtime: { name: "node", node: { req, res } },
    context: undefined,
  };
  return new H3Event(request as never, exchange as never, app);
}

export const exchangeOf = (event: H3Event): Exchange => event.context as unknown as Exchange;

/** h3 passes on whatever a handler returns; this says that the answer is written already. */
export const handled: unique symbol = Symbol.for("h3.handled") as never;

/** h3 takes what is an `instanceof URL` as it is. The path is not parsed a second time: it stays as it was sent. */
const urlPrototype = Object.create(URL.prototype, {
  pathname: { value: "/", writable: true },
  search: { value: "", writable: true },
  // What h3 reads to write needless escapes (`%61` for `a`) as the characters that they are.
  protocol: { value: "http:" },
  host: { value: "localhost" },
}) as object;
