import { decodePercentLeniently } from "./percent.ts";
import { toUnicodeHost } from "./punycode.ts";

/** Parses a URL as browsers do (WHATWG URL Standard); undefined if it is invalid. */
export function toUrlParts(text: string, base: string): Record<string, unknown> | undefined {
  const url = URL.parse(text, base === "" ? undefined : base);
  if (url === null) return undefined;
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return {
    href,
    origin,
    protocol,
    username,
    password,
    host,
    hostname,
    // For people; programs use href.
    ...(/(?:^|\.)xn--/.test(hostname) && { unicodeHostname: toUnicodeHost(hostname) }),
    port,
    effectivePort: port === "" ? (defaultPorts.get(protocol) ?? null) : Number(port),
    pathname,
    search,
    hash,
    // Pairs instead of an object: names repeat, their order can matter, and one can be __proto__.
    query: toPairs(search),
  };
}

/** Returns what to do about a text that is no URL; "" if nothing is known. */
export function hintForUrl(text: string, base: string): string {
  const [, user, path] = /^([\w.-]+@[\w.-]+):(?!\/\/)(\S+)$/.exec(text) ?? [];
  if (user !== undefined) return ` It is an address of ssh, whose URL is ssh://${user}/${path}.`;
  return base === "" && !/^[a-z][a-z\d+.-]*:/i.test(text) ? " If it is relative, set base." : "";
}

/**
 * Parses pairs like `URLSearchParams`, which is slow: it throws and catches an error for each malformed
 * escape.
 */
function toPairs(search: string): { name: string; value: string }[] {
  const pairs: { name: string; value: string }[] = [];
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    pairs.push({ name: decode(name), value: equals < 0 ? "" : decode(pair.slice(equals + 1)) });
  }
  return pairs;
}

const decode = (text: string): string => decodePercentLeniently(text.replaceAll("+", " "));

/** `URL` omits a port that is the default of the scheme. */
const defaultPorts = new Map([
  ["http:", 80],
  ["https:", 443],
  ["ws:", 80],
  ["wss:", 443],
  ["ftp:", 21],
]);
