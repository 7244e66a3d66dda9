import type { IncomingMessage } from "node:http";
import { ToolError } from "../../catalog/errors.ts";
import { isLoopback } from "../../lib/loopback.ts";
import { cookieValues } from "./cookie-values.ts";
import type { Exchange } from "./exchange.ts";
import { originOf } from "./origin.ts";
import { isOwnPage, pageOrigin } from "./sites.ts";

// The session of a browser. Cookies are sent by every page that can reach the server, are shared by all ports of a host,
// and can be set by other servers of the domain. A session therefore counts only in requests of this server's own pages,
// and the prefix `__Host-` keeps others from setting it (RFC 6265bis §4.1.3.2).

/** Only set, and only sent, over HTTPS. */
const secureName = "__Host-penknife";
/** Over plain HTTP, where browsers refuse the prefix. */
const plainName = "penknife";
const prefix = "svc_sess_";
/** The longest life of a session. */
const maxAgeSeconds = 28_800;

/** Paths on which a session counts. */
const paths = /^\/(?:graphql|session|api\/.*)$/;

/**
 * Makes the session cookie of a request its credential, if a page of this server sent it. An Authorization or X-API-Key
 * header counts instead of the cookie. A cookie that does not count is ignored, because browsers send it unasked.
 * @throws ToolError conflicting_credentials for two cookies: one may have been set by another server of the host.
 */
export function takeSessionCookie(exchange: Exchange): void {
  const { req, path } = exchange;
  const { headers, rawHeaders } = req;
  if (headers.cookie === undefined || headers.authorization !== undefined) return;
  if (headers["x-api-key"] !== undefined || !paths.test(path) || !isOwnPage(req)) return;
  const token = readToken(req, headers.cookie);
  if (token === undefined) return;
  headers.authorization = `Bearer ${token}`;
  rawHeaders.push("Authorization", headers.authorization);
  exchange.viaCookie = true;
}

/**
 * Returns the Set-Cookie header of a new session.
 * @throws ToolError forbidden over plain HTTP, which anyone on the way can read, unless the operator allows it.
 */
export function toSessionCookie(req: IncomingMessage, token: string, insecureCookies: boolean): string {
  cookieNameFor(req, insecureCookies);
  return sessionCookie(token, isSecure(req));
}

/** Returns the Set-Cookie header of a new session, for a server whose public URL is known. */
export const sessionCookie = (token: string, secure: boolean): string =>
  `${secure ? secureName : plainName}=${token}; ${attributes(secure)}; Max-Age=${maxAgeSeconds}`;

/** Returns the name of the cookie of a new session. @throws ToolError as `toSessionCookie` does. */
export function cookieNameFor(req: IncomingMessage, insecureCookies: boolean): string {
  if (isSecure(req)) return secureName;
  if (insecureCookies || isLoopbackHost(req)) return plainName;
  throw new ToolError(
    "forbidden",
    "Browsers sign in over HTTPS only: over plain HTTP others on the network could read the session. Use the HTTPS address of this server; on a trusted network the operator can allow it with web.insecureCookies.",
  );
}

/** Returns the Set-Cookie header that ends the session in the browser. */
export const toEndedCookie = (req: IncomingMessage): string =>
  `${isSecure(req) ? secureName : plainName}=; ${attributes(isSecure(req))}; Max-Age=0`;

/**
 * Returns the session token of the cookie that a new session replaces in the browser, also where it would not count;
 * undefined if there is none, or of two cookies, because another server of the host has set one.
 */
export function replacedToken(
  { headers: { cookie = "" } }: IncomingMessage,
  secure: boolean,
): string | undefined {
  const [token, ...others] = cookieValues(cookie, secure ? secureName : plainName);
  return others.length === 0 && token?.startsWith(prefix) === true ? token : undefined;
}

const attributes = (secure: boolean): string => `${secure ? "Secure; " : ""}HttpOnly; SameSite=Lax; Path=/`;

/** Reports whether the page uses HTTPS. Its origin includes the TLS of a proxy; without one, the connection decides. */
export const isSecure = (req: IncomingMessage): boolean =>
  (pageOrigin(req) ?? originOf({ req })).toLowerCase().startsWith("https://");

const isLoopbackHost = ({ headers: { host = "" } }: IncomingMessage): boolean =>
  isLoopback(host.replace(/:\d+$/, ""));

function readToken(req: IncomingMessage, cookie: string): string | undefined {
  const secure = valueOf(cookie, secureName);
  if (secure !== undefined) return secure;
  // Over HTTPS any server of the domain could have set a cookie without the prefix.
  if (isSecure(req) || (pageOrigin(req) === undefined && !isLoopbackHost(req))) return undefined;
  return valueOf(cookie, plainName);
}

/** Returns the token in a cookie; undefined if there is none, or if the cookie belongs to another program. */
function valueOf(cookie: string, name: string): string | undefined {
  const values = cookieValues(cookie, name);
  if (values.length > 1) {
    throw new ToolError(
      "conflicting_credentials",
      `There are ${values.length} cookies named ${name}, and it is unclear which one counts: another server of this host may have set one. Delete the cookies of this site and sign in again.`,
    );
  }
  return values[0]?.startsWith(prefix) === true ? values[0] : undefined;
}
