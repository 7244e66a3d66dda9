import { lazy } from "../../lib/lazy.ts";
import type { Handler } from "./exchange.ts";

/** Handlers of routes, which are loaded by the first request, so that no start waits for them. */
export interface LazyHandlers<Handlers> {
  get(): Promise<Handlers>;
  /** Returns the handlers if a request has loaded them. */
  loaded(): Handlers | undefined;
  /** Returns the handler of a name. Once it is loaded, calling it costs no promise. */
  handle(name: NameOf<Handlers>): Handler;
}

type NameOf<Handlers> = {
  [Name in keyof Handlers]: Handlers[Name] extends Handler ? Name : never;
}[keyof Handlers];

export function lazyHandlers<Handlers>(load: () => Promise<Handlers>): LazyHandlers<Handlers> {
  let loaded: Handlers | undefined;
  const get = lazy(async () => (loaded = await load()));
  return {
    get,
    loaded: () => loaded,
    handle(name) {
      const of = (handlers: Handlers): Handler => handlers[name] as Handler;
      return (exchange) =>
        loaded === undefined ? get().then((found) => of(found)(exchange)) : of(loaded)(exchange);
    },
  };
}
