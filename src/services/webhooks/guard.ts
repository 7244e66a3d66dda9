import { unlessFault } from "../../lib/fault.ts";
import { isIP } from "node:net";
import { whyForbidden } from "../../lib/ip/forbidden.ts";
import { decodePunycode } from "../../lib/punycode.ts";
import { createMatcher } from "../../lib/ip/match.ts";
import { embeddedIpv4 } from "../../lib/ip/nat64.ts";
import { parseNetwork } from "../../lib/ip/network.ts";
import { parsePortRange, portOf } from "../../lib/ip/ports.ts";
import { parseAddress } from "../../lib/ip/parse.ts";
import { createResolver, type Lookup, type Resolved } from "./resolve.ts";
import type { Runtime } from "../../runtime.ts";

/** The URL of a request and its vetted addresses. No other address may be connected to. */
export interface Target {
  url: URL;
  /** Without the brackets of IPv6. */
  host: string;
  /** At least one. */
  addresses: readonly Resolved[];
}

/** Keeps requests to URLs chosen by others out of networks that these others cannot reach themselves. */
export interface Guard {
  /** Vets a URL and every address of its host, resolved once. @throws TargetError. */
  vet(url: string): Promise<Target>;
}

/**
 * Nothing may be sent to a URL; `message` is a sentence for the person who set it, and reveals nothing about the
 * network.
 */
export class TargetError extends Error {
  readonly code: "invalid_url" | "address_blocked" | "name_not_resolved";

  constructor(code: TargetError["code"], message: string) {
    super(message);
    this.name = "TargetError";
    this.code = code;
  }
}

/** The configured exceptions of the operator, and the prefixes of the network. */
export interface GuardRules {
  /** Networks in CIDR notation that are allowed although they are not public. */
  allowCidrs: readonly string[];
  /** Allowed ports and port ranges; all if there are none. */
  allowPorts?: readonly string[];
  /** Prefixes that a gateway of this network translates to IPv4 (RFC 6052). */
  nat64Prefixes?: readonly string[];
}

export interface GuardOptions extends GuardRules {
  runtime: Runtime;
  lookup?: Lookup;
}

const maxUrl = 2048;

export function createGuard({
  allowCidrs,
  allowPorts = [],
  nat64Prefixes = [],
  runtime,
  lookup,
}: GuardOptions): Guard {
  const allowedBy = createMatcher(allowCidrs.map(parseNetwork));
  const ports = allowPorts.map(parsePortRange);
  const translated = nat64Prefixes.map(parseNetwork);
  const resolve = createResolver({ lookup, runtime });

  return {
    async vet(text) {
      const url = parseTarget(text);
      const port = portOf(url);
      if (ports.length > 0 && !ports.some(([first, last]) => port >= first && port <= last))
        throw wrongPort(port);
      const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
      const family = isIP(host);
      const addresses = family === 0 ? await find(host) : [{ address: host, family }];
      if (addresses.length === 0) throw notResolved(host);
      // One private address blocks the name: a mix is an attack or a mistake, and chance decides which address is used.
      for (const { address } of addresses) {
        const reason = findObjection(address);
        if (reason !== undefined) throw blocked(host, reason);
      }
      return { url, host, addresses };
    },
  };

  async function find(host: string): Promise<readonly Resolved[]> {
    try {
      return await resolve(host);
    } catch {
      throw notResolved(host);
    }
  }

  function findObjection(text: string): string | undefined {
    const address = unlessFault(() => parseAddress(text));
    if (address === undefined) return "unknown";
    if (allowedBy(address).length > 0) return undefined;
    // A translating gateway reaches the IPv4 address behind the prefix, so that address is checked.
    for (const prefix of translated) {
      const embedded = embeddedIpv4(address, prefix);
      if (embedded !== undefined) return allowedBy(embedded).length > 0 ? undefined : whyForbidden(embedded);
    }
    return whyForbidden(address);
  }
}

/** Parses a URL and checks everything that needs no look-up. @throws TargetError `invalid_url`. */
export function parseTarget(text: string): URL {
  if (text.length > maxUrl)
    throw new TargetError("invalid_url", `The URL is longer than ${maxUrl} characters.`);
  // The parser silently removes tabs, line ends and surrounding spaces.
  if (/[\s\p{Cc}]/u.test(text))
    throw new TargetError("invalid_url", "The URL contains white space; remove it.");
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    throw new TargetError(
      "invalid_url",
      "The URL must be absolute, with http or https, such as https://hooks.example.com/penknife.",
    );
  if (url.username !== "" || url.password !== "")
    throw new TargetError(
      "invalid_url",
      "The URL contains a user or a password, which logs would show. Remove them: receivers verify the signature instead.",
    );
  if (text.includes("#"))
    throw new TargetError("invalid_url", "The URL has a fragment (#…), which is never sent; remove it.");
  // The URL Standard accepts every domain of ASCII.
  const label = url.hostname.split(".").find((one) => one.startsWith("xn--") && !isPunycode(one.slice(4)));
  if (label !== undefined)
    throw new TargetError(
      "invalid_url",
      `The host of the URL is no domain: ${label} is not the Punycode of a name (RFC 3492).`,
    );
  if (url.port === "0")
    throw new TargetError("invalid_url", "The port of the URL must be 1 to 65535, got 0.");
  return url;
}

const isPunycode = (text: string): boolean => (decodePunycode(text) ?? "") !== "";

const wrongPort = (port: number): TargetError =>
  new TargetError(
    "address_blocked",
    `Port ${port} is not allowed for endpoints. To send there, list it in webhooks.allowPorts.`,
  );

const notResolved = (host: string): TargetError =>
  new TargetError("name_not_resolved", `The name ${host} has no address, or the name server did not answer.`);

const blocked = (host: string, reason: string): TargetError =>
  new TargetError(
    "address_blocked",
    `${host} is at an address that is not public (${reason}). To send there, list its network in webhooks.allowCidrs.`,
  );
