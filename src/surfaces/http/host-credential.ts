import { ToolError } from "../../catalog/errors.ts";
import { createThrottle } from "../../lib/throttle.ts";
import { credentialsOf } from "./admission.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { logged } from "./request-log.ts";
import { createMetricsToken } from "./metrics-token.ts";
import { authorityOf } from "./target.ts";

export type HostCredentialDeps = Pick<HttpDeps, "options" | "authenticate" | "refusals" | "log" | "runtime">;

/** Refuses a request under a foreign host name. @throws ToolError as `Gate.check` says. */
export type HostCredential = (exchange: Exchange) => Promise<undefined>;

const newsMs = 60_000;

/** Errors that say nothing about the credential. */
const passedOn: ReadonlySet<string> = new Set(["quota_exceeded", "storage_unavailable", "internal"]);

/** Checks the credential of a request under a foreign name. A page that uses DNS rebinding has no credential. */
export function createHostCredential(deps: HostCredentialDeps): HostCredential {
  const metricsToken = createMetricsToken(deps);
  const news = createThrottle(newsMs, deps.runtime.monotonic);

  async function isGiven(exchange: Exchange): Promise<boolean> {
    if (exchange.req.headers.authorization === undefined) return false;
    try {
      if (exchange.path === "/metrics" && metricsToken.isGiven(exchange)) return true;
      return (await deps.authenticate(credentialsOf(exchange))).kind !== "anonymous";
    } catch (error) {
      if (!(error instanceof ToolError) || passedOn.has(error.code)) throw error;
      return false;
    }
  }

  return async (exchange) => {
    if (await isGiven(exchange)) return;
    const { url = "", headers } = exchange.req;
    const host = logged(authorityOf(url) ?? headers.host ?? "");
    if (news.due("host")) {
      deps.log.event(
        "warn",
        "a request for an unknown host was refused; server.allowedHosts lists those served",
        {
          host,
          ip: exchange.ip,
        },
      );
    }
    throw new ToolError(
      "misdirected_request",
      `This server does not answer for the host ${JSON.stringify(host)}. Use one of its addresses or send a key; the operator lists its host names in server.allowedHosts.`,
    );
  };
}
