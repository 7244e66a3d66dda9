import { isIP } from "node:net";
import { isLoopback } from "../../lib/loopback.ts";

/**
 * Reports whether a Host header names this server. Loopback names and IP addresses always do: a page that uses DNS rebinding
 * sends its own host name, never one of these.
 */
export type Hosts = (host: string) => boolean;

const capacity = 256;
/** Longest header that is cached: the longest host name with a port. */
const memorableLength = 260;

/** @param patterns Patterns of `server.allowedHosts`: `name` and `*.name`, with or without `:port`, and `*`. */
export function createHosts(patterns: readonly string[]): Hosts {
  const allowed = patterns.map(toPattern);
  // Nearly all requests use one of a few spellings.
  const known = new Map<string, boolean>();

  function accepts(header: string): boolean {
    const { name, port } = split(header);
    if (isIP(name) !== 0 || isLoopback(name)) return true;
    return allowed.some((pattern) => pattern(name, port));
  }

  return (header) => {
    let answer = known.get(header);
    if (answer === undefined) {
      answer = accepts(header);
      if (header.length > memorableLength) return answer;
      if (known.size >= capacity) known.clear();
      known.set(header, answer);
    }
    return answer;
  };
}

/** `*.example.com` matches every name below example.com at any depth, and not example.com itself. */
function toPattern(pattern: string): (name: string, port: string) => boolean {
  if (pattern === "*") return () => true;
  const wanted = split(pattern);
  const suffix = wanted.name.startsWith("*.") ? wanted.name.slice(1) : undefined;
  return (name, port) =>
    (wanted.port === "" || wanted.port === port) &&
    (suffix === undefined ? name === wanted.name : name.length > suffix.length && name.endsWith(suffix));
}

/** Returns the name in lower case, without brackets and the trailing dot, and the port. */
function split(host: string): { name: string; port: string } {
  const [, bracketed, bare = "", port = ""] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(host) ?? [];
  const name = (bracketed ?? bare).toLowerCase();
  return { name: name.endsWith(".") ? name.slice(0, -1) : name, port };
}
