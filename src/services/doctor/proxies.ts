import { createClientIp } from "../access/client-ip.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";
import { isLoopback } from "../../lib/loopback.ts";
import type { Config } from "../../options.ts";

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

/** Reports an entry that trusts the header of too many clients. */
export function checkProxies({ host, trustedProxies, proxyHeader }: Config["server"]): Finding[] {
  const findings = trustedProxies.flatMap(checkNetwork);
  if (trustedProxies.length === 0) {
    findings.push(
      note(
        "proxies",
        "No proxy is trusted: callers are counted by the address of their connection.",
        "Behind a proxy all of them share one quota: list the proxy in server.trustedProxies.",
      ),
    );
    return findings;
  }
  if (isLoopback(host) && !trustsThisMachine(trustedProxies, proxyHeader)) {
    findings.push(
      warning(
        "proxies",
        `The server listens on ${host}, which only this machine can reach, and no trusted proxy is on this machine: ${proxyHeader} is always ignored.`,
        "Add 127.0.0.1 (and ::1) to server.trustedProxies, or listen on an address that the proxy can reach.",
      ),
    );
  }
  if (!knownHeaders.includes(proxyHeader.toLowerCase())) {
    findings.push(
      warning(
        "proxies",
        `${proxyHeader} is not a header that proxies commonly send; without it, the proxy itself counts as the client.`,
        "Check what the proxy sends; most append to X-Forwarded-For (server.proxyHeader).",
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok("proxies", `${proxyHeader} is trusted from ${trustedProxies.join(", ")}.`)];
}

function checkNetwork(entry: string): Finding[] {
  const length = /\/(\d+)$/.exec(entry)?.[1];
  if (length === undefined || Number(length) >= 8) return [];
  const action = "List only the addresses of the proxies in server.trustedProxies.";
  const message = `server.trustedProxies contains ${entry}: `;
  return Number(length) === 0
    ? [error("proxies", `${message}anybody can choose the address they are counted by.`, action)]
    : [warning("proxies", `${message}much of the Internet can choose the address it is counted by.`, action)];
}

/** Uses the code that decides for requests. */
function trustsThisMachine(trustedProxies: readonly string[], proxyHeader: string): boolean {
  if (trustedProxies.includes("unix")) return true;
  const clientIp = createClientIp({ trustedProxies, proxyHeader });
  const client = "203.0.113.7";
  const header = proxyHeader.toLowerCase() === "forwarded" ? `for=${client}` : client;
  return ["127.0.0.1", "::1"].some((peer) => clientIp(peer, header) === client);
}
