import { type Finding, note, ok, warning } from "./finding.ts";
import { isLoopback } from "../../lib/loopback.ts";
import type { Config } from "../../options.ts";

/** Prefixes up to which a network is that of one proxy, or of a few. */
const narrow = { 4: 24, 6: 64 } as const;

/** Reports what weakens the sign-in through a proxy. The start refuses what would open it to everybody. */
export function checkProxyAuth({
  server,
  proxyAuth,
  web,
}: Pick<Config, "server" | "proxyAuth" | "web">): Finding[] {
  const { header, secretHeader } = proxyAuth;
  const { trustedProxies } = server;
  if (header === "") return [];
  const check = "signOn.proxy";
  const wide = trustedProxies.filter((entry) => isWide(entry) && !isLocal(entry));
  const findings = [
    ...(wide.length > 0
      ? [
          warning(
            check,
            `Whoever learns proxyAuth.secret can sign in as anybody from ${wide.join(" and ")} (server.trustedProxies).`,
            "List the address of each proxy instead of its network.",
          ),
        ]
      : []),
    ...(server.tlsCert === "" && trustedProxies.some((entry) => !isLocal(entry))
      ? [
          note(
            check,
            `The proxy sends ${secretHeader} to this server over plain HTTP, where others on the network could read it.`,
            "Set server.tlsCert and server.tlsKey, run the proxy on this machine, or keep the network between them to yourself.",
          ),
        ]
      : []),
    ...(web.publicUrl.startsWith("http:") &&
    !web.insecureCookies &&
    !isLoopback(new URL(web.publicUrl).hostname)
      ? [
          warning(
            check,
            "web.publicUrl begins with http://, where nobody can sign in.",
            "Let the proxy serve HTTPS, and set web.publicUrl to that address.",
          ),
        ]
      : []),
  ];
  return findings.length > 0
    ? findings
    : [
        ok(
          check,
          `People sign in with ${header}, from ${trustedProxies.join(", ")} and with the secret only.`,
        ),
      ];
}

function isWide(entry: string): boolean {
  const [address = "", prefix] = entry.split("/");
  return prefix !== undefined && Number(prefix) < narrow[address.includes(":") ? 6 : 4];
}

/** The network is at most 127.0.0.0/8, because the start refuses larger ones. */
const isLocal = (entry: string): boolean => entry === "unix" || isLoopback(entry.split("/")[0] ?? "");
