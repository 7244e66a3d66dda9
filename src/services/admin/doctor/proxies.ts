import { createClientIp } from "../../access/client-ip.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";
import { isLoopback } from "../../../lib/loopback.ts";
import type { Config } from "../../../options.ts";

/** Headers that proxies commonly send. */
const knownHeaders = [
  "x-forwarded-for",
  "forwarded",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "fly-client-ip",
  "fastly-client-ip",
  "x-client-ip",
  "x-envoy-external-address",
];

/** A network in which whoever sends the header is believed. */
export function checkProxies({ host, trustedProxies, proxyHeader }: Config["server"]): Finding[] {
  const findings = trustedProxies.flatMap(checkNetwork);
  if (trustedProxies.length === 0) {
    findings.push(
      note(
        "proxies",
        "No proxy is trusted: callers are counted by the address of their connection.",
        "Behind a proxy all of them share one quota; name the proxy in server.trustedProxies.",
      ),
    );
    return findings;
  }
  if (isLoopback(host) && !trustsThisMachine(trustedProxies, proxyHeader)) {
    findings.push(
      warning(
        "proxies",
        `The server listens on ${host}, which only this machine reaches, and none of the trusted proxies is on it: ${proxyHeader} is never believed.`,
        "Add 127.0.0.1 (and ::1) to server.trustedProxies, or listen where the proxy can reach it.",
      ),
    );
  }
  if (!knownHeaders.includes(proxyHeader.toLowerCase())) {
    findings.push(
      warning(
        "proxies",
        `${proxyHeader} is no header that proxies are known to send; where it is missing the proxy itself is the client.`,
        "Check what the proxy sends; most append to X-Forwarded-For (server.proxyHeader).",
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok("proxies", `${proxyHeader} is believed from ${trustedProxies.join(", ")}.`)];
}

function checkNetwork(entry: string): Finding[] {
  const length = /\/(\d+)$/.exec(entry)?.[1];
  if (length === undefined || Number(length) >= 8) return [];
  const action = "Name the addresses of the proxies themselves in server.trustedProxies.";
  const message = `server.trustedProxies has ${entry}: `;
  return Number(length) === 0
    ? [error("proxies", `${message}everybody can choose the address that they are counted by.`, action)]
    : [
        warning(
          "proxies",
          `${message}a great part of the Internet can choose the address that it is counted by.`,
          action,
        ),
      ];
}

/** Uses the code that decides for requests. */
function trustsThisMachine(trustedProxies: readonly string[], proxyHeader: string): boolean {
  if (trustedProxies.includes("unix")) return true;
  const clientIp = createClientIp({ trustedProxies, proxyHeader });
  const client = "203.0.113.7";
  const header = proxyHeader.toLowerCase() === "forwarded" ? `for=${client}` : client;
  return ["127.0.0.1", "::1"].some((peer) => clientIp(peer, header) === client);
}
