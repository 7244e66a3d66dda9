import { isIP } from "node:net";
import { ToolError } from "../../catalog/errors.ts";
import { isLoopback } from "../../services/loopback.ts";
import { createThrottle } from "../../services/throttle.ts";
import { credentialsOf } from "./admission.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { logged } from "./exchanges.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import { createMetricsToken } from "./metrics-token.ts";
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

const newsMs = 60_000;

export function createGate(
  deps: Pick<HttpDeps, "options" | "authenticate" | "refusals" | "log" | "monotonic">,
  isAllowedOrigin: (origin: string) => boolean,
): Gate {
  const { options, authenticate, log } = deps;
  const { allowedHosts, host: ownName } = options;
  const metricsToken = createMetricsToken(deps);
  const news = createThrottle(newsMs, deps.monotonic);
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

  /** A page whose name was made to resolve to this server has no credential. */
  async function requireCredential(exchange: Exchange): Promise<undefined> {
    if (exchange.req.headers.authorization !== undefined) {
      try {
        if (exchange.path === "/metrics" && metricsToken.isGiven(exchange)) return;
        if ((await authenticate(credentialsOf(exchange))).kind !== "anonymous") return;
      } catch (error) {
        if (!(error instanceof ToolError) || passed.has(error.code)) throw error;
      }
    }
    const host = logged(authorityOf(exchange.req.url ?? "") ?? exchange.req.headers.host ?? "");
    if (news.due("host"))
      log.event("warn", "a request for an unknown host was refused; server.allowedHosts lists those served", {
        host,
        ip: exchange.ip,
      });
    throw new ToolError(
      "misdirected_request",
      `The host ${JSON.stringify(host)} is not one that this server answers for. Use one of its addresses or send a key; the operator lists its host names in server.allowedHosts.`,
    );
  }

  function checkSite(exchange: Exchange): undefined {
    const { req } = exchange;
    if (everySite || !isForeign(req, isAllowedOrigin)) return;
    if (!isVisit(req)) throw crossSite();
    exchange.visit = true;
  }

  return {
    check(exchange) {
      checkSite(exchange);
      return isOwnHost(exchange.req) ? undefined : requireCredential(exchange);
    },
    checkSite,
    listensOn(address) {
      if (allowedHosts.length > 0 || isLoopback(address)) return;
      hosts = undefined;
      log.event("warn", anyHost);
    },
  };
}

/** What is not a verdict on the credential. */
const passed: ReadonlySet<string> = new Set(["quota_exceeded", "storage_unavailable", "internal"]);

export const anyHost =
  "requests with any Host header are served, so a website can reach this server through its visitors (DNS rebinding); list its host names in server.allowedHosts";
