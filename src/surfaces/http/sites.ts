import type { IncomingMessage } from "node:http";
import { ToolError } from "../../catalog/errors.ts";

/** Parts of a request that show which site's page sent it. Only browsers send them, and pages cannot change them. */
export type SiteRequest = Pick<IncomingMessage, "headers" | "method" | "socket">;

/**
 * Reports whether a page of another site sent the request (Fetch Metadata, RFC 6454 §7). `isAllowed` accepts the origins of
 * `server.corsOrigins`.
 */
export function isForeign({ headers, socket }: SiteRequest, isAllowed: (origin: string) => boolean): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin !== undefined && isAllowed(origin)) return false;
  // Unknown values are refused: only browsers send this header.
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return origin !== undefined && !isOurs(origin.toLowerCase(), headers.host ?? "", "encrypted" in socket);
}

/**
 * Reports whether a page of this very origin sent the request, by Fetch Metadata or, where a browser does not send it, by an
 * exact Origin. Over plain HTTP browsers send neither with a GET: then the origin of the Referer counts.
 * `server.corsOrigins` does not matter, and a request without any of the three headers is not of a page.
 */
export function isOwnPage(request: SiteRequest): boolean {
  const { headers, socket } = request;
  const { "sec-fetch-site": site, "x-forwarded-proto": scheme } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  const origin = pageOrigin(request);
  if (origin === undefined) return site === "same-origin";
  const encrypted = "encrypted" in socket || scheme === "https";
  return isOurs(origin.toLowerCase(), headers.host ?? "", encrypted);
}

/** Returns the origin of the page that sent the request, by its Origin or, where `isOwnPage` accepts it, its Referer. */
export function pageOrigin({ headers, method }: SiteRequest): string | undefined {
  const { origin, referer = "", "sec-fetch-site": site } = headers;
  if (origin !== undefined || site !== undefined || method !== "GET") return origin;
  return /^https?:\/\/[^/?#]+/.exec(referer)?.[0];
}

/**
 * Reports whether an origin is this server's own, by the Host header. A proxy that terminates TLS changes the scheme, so an
 * HTTPS origin matches either; an HTTP origin does not match if this server speaks TLS itself.
 */
function isOurs(origin: string, host: string, encrypted: boolean): boolean {
  const [, scheme, authority] = /^(https?):\/\/(.+)$/.exec(origin) ?? [];
  if (scheme === undefined || (encrypted && scheme !== "https")) return false;
  const asked = host.toLowerCase();
  // An origin never contains the default port of its scheme; a Host header may.
  return asked === authority || asked === `${authority}:${scheme === "https" ? 443 : 80}`;
}

/** Reports whether the user follows a link. The linking page cannot read the answer, and the route decides what is allowed. */
export const isVisit = ({ method, headers }: SiteRequest): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document";

export const crossSite = (): ToolError =>
  new ToolError(
    "cross_site",
    "A page of another site sent this request. The operator lists the origins whose pages may call this server in server.corsOrigins; a proxy must pass on the Host header of the browser.",
  );
