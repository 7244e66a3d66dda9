import { isIP } from "node:net";
import { isLoopback } from "../../services/loopback.ts";
import { once } from "../../services/once.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import { crossSite, isForeign, isVisit } from "./sites.ts";
import { authorityOf } from "./target.ts";

/** Refuses what a browser sends on behalf of another site, before it is counted and before its body is read. */
export interface Gate {
  /**
   * Marks an exchange that follows a link of another site: see `Exchange.visit`. A promise only where a credential decides.
   * @throws ToolError cross_site, misdirected_request; of a credential that cannot be checked quota_exceeded, storage_unavailable.
   */
  check(exchange: Exchange): undefined | Promise<undefined>;
  /** The same without a look at the Host header. */
  checkSite(exchange: Exchange): undefined;
  /** The address that the server listens on, which decides whether the Host header matters. */
  listensOn(address: string): void;
}

export function createGate(
  deps: Pick<HttpDeps, "options" | "authenticate" | "refusals" | "log" | "monotonic">,
  isAllowedOrigin: (origin: string) => boolean,
): Gate {
  const { options, log } = deps;
  const { allowedHosts, host: ownName } = options;
  const everySite = options.corsOrigins.includes("*");
  // Until it listens nothing is known of who may reach it.
  let hosts: Hosts | undefined = createHosts(
    isIP(ownName) === 0 && ownName !== "" ? [...allowedHosts, ownName] : allowedHosts,
  );

  function isOwnHost(req: Exchange["req"]): boolean {
    if (hosts === undefined) return true;
    // Only HTTP/1.0 has no Host header, and no browser speaks that.
    const { host } = req.headers;
    if (host !== undefined && !hosts(host)) return false;
    const authority = authorityOf(req.url ?? "");
    return authority === undefined || hosts(authority);
  }

  /** Loaded by the first request that it is for. */
  const credential = once(async () => (await import("./host-credential.ts")).createHostCredential(deps));

  function checkSite(exchange: Exchange): undefined {
    const { req } = exchange;
    if (everySite || !isForeign(req, isAllowedOrigin)) return;
    if (!isVisit(req)) throw crossSite();
    exchange.visit = true;
  }

  return {
    check(exchange) {
      checkSite(exchange);
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
