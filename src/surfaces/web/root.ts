import { originOf } from "../http/origin.ts";
import { parseTarget } from "../http/target.ts";
import type { Exchange } from "../http/exchange.ts";

/**
 * Returns the relative URL of the home page, ending in a slash, as seen from the page that an exchange requests: a proxy may
 * have put any prefix before the path.
 */
export function rootFrom({ req, path }: Pick<Exchange, "req" | "path">, basePath: string): string {
  const asked = parseTarget(req.url ?? "/").path;
  // The base path without a slash is a sibling of its own folder.
  if (basePath !== "" && asked === basePath) return `./${basePath.slice(basePath.lastIndexOf("/") + 1)}/`;
  const isInside = basePath === "" || asked.startsWith(`${basePath}/`);
  const up = "../".repeat((isInside ? path : asked).split("/").length - 2);
  return isInside ? up || "./" : `./${up}${basePath.slice(1)}/`;
}

/**
 * Returns the absolute URL of this server for examples, without a slash at its end. A Host header with characters that no
 * host has becomes `localhost`: the URL is copied into a shell.
 */
export function shownUrl(exchange: Pick<Exchange, "req">, basePath: string): string {
  const origin = originOf(exchange);
  return (/^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : "http://localhost") + basePath;
}
