import { type Finding, note, ok, warning } from "./finding.ts";
import { isLoopback } from "../../lib/loopback.ts";
import type { Config } from "../../options.ts";

const shortestToken = 16;

/** Reports who can reach the server, over what, and with which host names. */
export function checkExposure({ server, auth, metrics, web }: Config): Finding[] {
  const { host } = server;
  if (isLoopback(host)) {
    return [
      ok("exposure", `Only this machine can reach ${host}.`),
      ...(server.trustedProxies.length > 0 && server.allowedHosts.length === 0 && web.publicUrl === ""
        ? [
            note(
              "exposure.hosts",
              "Callers without a key get 421 under the proxy's host name: server.allowedHosts is empty.",
              "Set web.publicUrl, or list the site's host names in server.allowedHosts.",
            ),
          ]
        : []),
      ...checkToken(metrics.token),
    ];
  }
  const where = `${host === "" ? "Every address of this machine" : host} is reachable from the network`;
  return [
    auth.anonymous
      ? note(
          "exposure.anonymous",
          `${where}, and callers without a key are served, 100 requests an hour for each address.`,
          "Set auth.anonymous to false to serve only callers with a key.",
        )
      : ok("exposure.anonymous", "Only callers with a key are served."),
    ...(server.tlsCert === ""
      ? [
          note(
            "exposure.tls",
            `${where} over plain HTTP: keys are sent in clear.`,
            "Put a proxy with TLS in front of it, or set server.tlsCert and server.tlsKey.",
          ),
        ]
      : []),
    ...(server.allowedHosts.length === 0
      ? [
          warning(
            "exposure.hosts",
            `${where} under any host name, so a website can reach it through its visitors (DNS rebinding).`,
            'List the names of this server in server.allowedHosts, or set it to ["*"] if a proxy checks them.',
          ),
        ]
      : []),
    ...(metrics.enabled && metrics.token === ""
      ? [
          warning(
            "exposure.metrics",
            `${where}, and GET /metrics is open to everybody.`,
            "Set metrics.token (PENKNIFE_METRICS_TOKEN_FILE), close /metrics in the proxy, or set metrics.enabled to false.",
          ),
        ]
      : []),
    ...checkToken(metrics.token),
  ];
}

function checkToken(token: string): Finding[] {
  if (token === "" || token.length >= shortestToken) return [];
  return [
    warning(
      "exposure.metrics",
      `metrics.token has ${token.length} characters and can be guessed.`,
      "Create a longer one: openssl rand -hex 24",
    ),
  ];
}
