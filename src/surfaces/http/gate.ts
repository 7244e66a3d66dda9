import { isIP } from "node:net";
import { isLoopback } from "../../lib/loopback.ts";
import { lazy } from "../../lib/lazy.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import { takeSessionCookie } from "./session-cookie.ts";
import { crossSite, isForeign, isVisit } from "./sites.ts";
import { authorityOf } from "./target.ts";

/**
 * Refuses requests that a browser sends on behalf of another site, before they are counted and before the body is read.
 */
export interface Gate {
  /**
   * Marks an exchange that follows a link of another site (see `Exchange.visit`), and makes the session cookie of one that
   * a page of this server sent its credential. Returns a promise only if the
   * credential decides.
   * @throws ToolError cross_site, misdirected_request; quota_exceeded or storage_unavailable if the credential cannot
   * be checked.
   */
  check(exchange: Exchange): undefined | Promise<undefined>;
  /** Like `check`, without the check of the Host header. */
  checkSite(exchange: Exchange): undefined;
  /** Sets the address that the server listens on, which decides whether the Host header is checked. */
  listensOn(address: string): void;
}

export function createGate(
  deps: Pick<HttpDeps, "options" | "authenticate" | "refusals" | "log" | "runtime">,
  isAllowedOrigin: (origin: string) => boolean,
): Gate {
  const { options, log } = deps;
  const { allowedHosts, publicUrl } = options;
  const everySite = options.corsOrigins.includes("*");
  // `listensOn` disables the check if it does not apply.
  const ownNames = [options.host, publicUrl && new URL(publicUrl).hostname];
  let hosts: Hosts | undefined = createHosts([
    ...allowedHosts,
    ...ownNames.filter((name) => name !== "" && isIP(name) === 0),
  ]);

  function isOwnHost(req: Exchange["req"]): boolean {
    if (hosts === undefined) return true;
    // Only HTTP/1.0 allows requests without a Host header, and browsers do not use it.
    const { host } = req.headers;
    if (host !== undefined && !hosts(host)) return false;
    const authority = authorityOf(req.url ?? "");
    return authority === undefined || hosts(authority);
  }

  /** Loaded by the first request that needs it. */
  const credential = lazy(async () => (await import("./host-credential.ts")).createHostCredential(deps));

  function checkSite(exchange: Exchange): undefined {
    const { req } = exchange;
    if (everySite || !isForeign(req, isAllowedOrigin)) return;
    if (!isVisit(req)) throw crossSite();
    exchange.visit = true;
  }

  return {
    check(exchange) {
      checkSite(exchange);
      if (exchange.req.headers.cookie !== undefined) takeSessionCookie(exchange);
      return isOwnHost(exchange.req) ? undefined : credential().then((require) => require(exchange));
    },
    checkSite,
    listensOn(address) {
      if (allowedHosts.length > 0 || isLoopback(address)) return;
      hosts = undefined;
      log.event("warn", anyHost);
    },
  };
}

const anyHost =
  "requests with any Host header are served, so a website can reach this server through its visitors (DNS rebinding); list its host names in server.allowedHosts";
