import { H3, H3Event } from "h3/generic";
import type { Exchange } from "./exchange.ts";

/** h3's router over exchanges. */
export interface Router {
  /** Adds a path, in h3's syntax. */
  add(path: string, handler: (exchange: Exchange) => unknown): void;
  /** Calls the handler of the exchange's path and returns its result; without one, returns a symbol of h3. */
  route(exchange: Exchange): unknown;
}

/**
 * h3's adapters turn each request and answer into the classes of the Fetch standard. Loading those costs 38 ms of start,
 * and building them costs more per request than everything else we do. So `H3#handler` gets only what it reads, and
 * handlers write to Node's response.
 */
export function createRouter(): Router {
  const app = new H3();
  return {
    add: (path, handler) => void app.all(path, (event) => handler(event.context as unknown as Exchange)),
    route: (exchange) => app.handler(toEvent(exchange)),
  };
}

function toEvent(exchange: Exchange): H3Event {
  const { req, path } = exchange;
  if (path.includes("%")) return toCanonicalEvent(exchange);
  return { req, url: { pathname: path }, context: exchange } as unknown as H3Event;
}

/** Lets h3 decode needless escapes: `%61` stands for `a`. */
function toCanonicalEvent(exchange: Exchange): H3Event {
  const url = Object.create(urlPrototype) as { pathname: string };
  url.pathname = exchange.path;
  const request = { method: exchange.req.method, _url: url };
  return new H3Event(request as never, exchange as never);
}

/** h3 uses an `instanceof URL` without parsing it again. */
const urlPrototype = Object.create(URL.prototype, {
  pathname: { value: "/", writable: true },
  search: { value: "" },
  protocol: { value: "http:" },
  host: { value: "localhost" },
}) as object;
