import { hash, timingSafeEqual } from "node:crypto";
import type { Person } from "../../catalog/principal.ts";
import { trimOws } from "../../lib/header-list.ts";
import type { Config } from "../../options.ts";
import { proxyIssuer, toPerson } from "../../storage/person.ts";
import { createProxyTest } from "./client-ip.ts";

/** The parts of a request that name a person. */
export interface ProxiedRequest {
  /** The address of the socket's peer, which no header can change; undefined for a Unix socket. */
  peer: string | undefined;
  /** Names and values as they came, in turns. */
  rawHeaders: readonly string[];
}

/** A person whom a trusted proxy names, and the claims that the rules about people's rights read. */
export interface Proxied {
  person: Person;
  claims: { user: string; groups: readonly string[] };
}

/** The reason why a name from a trusted proxy does not count; for the operator, without the name. */
export interface ProxyFault {
  fault: string;
}

export interface ProxyOptions {
  server: Pick<Config["server"], "trustedProxies">;
  proxyAuth: Pick<Config["proxyAuth"], "header" | "secretHeader" | "secret" | "groupsHeader">;
}

/** Reads the person of a request; undefined if no trusted proxy names one. */
export type ReadProxied = (request: ProxiedRequest) => Proxied | ProxyFault | undefined;

/** Longest list of groups, in characters. */
const maxGroups = 16_384;

/**
 * Creates the reader of the header in which a proxy names the person that it signed in. Anybody can send that header, so that it
 * counts only from a trusted peer that also sends the shared secret, and only once.
 */
export function createReadProxied({ server, proxyAuth }: ProxyOptions): ReadProxied {
  const { header, secretHeader, groupsHeader, secret } = proxyAuth;
  const isProxy = createProxyTest(server.trustedProxies);
  const trustsUnix = server.trustedProxies.includes("unix");
  const digest = hash("sha256", secret, "buffer");

  /** Hashed, so that the time depends neither on the length nor on the place of the first difference. */
  const isSecret = (text: string): boolean =>
    timingSafeEqual(hash("sha256", Buffer.from(text, "latin1"), "buffer"), digest);

  return ({ peer, rawHeaders }) => {
    if (!(peer === undefined ? trustsUnix : isProxy(peer))) return undefined;
    const names = valuesOf(rawHeaders, header);
    // Where nobody is signed in, some proxies send an empty header.
    if (names.every((name) => name === "")) return undefined;
    const secrets = valuesOf(rawHeaders, secretHeader);
    if (secrets.length === 0) return { fault: `${header} came without ${secretHeader}.` };
    if (secrets.length > 1) return { fault: `${secretHeader} came ${secrets.length} times.` };
    if (!isSecret(secrets[0] ?? "")) return { fault: `${secretHeader} is not proxyAuth.secret.` };
    if (names.length > 1)
      return { fault: `${header} came ${names.length} times: the proxy must replace it.` };
    const name = names[0] ?? "";
    if (name.includes(",")) {
      return { fault: `${header} has a comma: it names one person, and a proxy joins two headers with one.` };
    }
    const subject = toText(name);
    const person = subject === undefined ? undefined : toPerson(proxyIssuer, subject);
    if (person === undefined)
      return { fault: `${header} is too long, not UTF-8, or has characters that no name has.` };
    const groups = groupsHeader === "" ? [] : readGroups(valuesOf(rawHeaders, groupsHeader));
    if (groups === undefined) return { fault: `${groupsHeader} came twice, is too long, or is not UTF-8.` };
    return { person, claims: { user: person.subject, groups } };
  };
}

/** Returns the values of all lines with that name. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const wanted = name.toLowerCase();
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted);
}

/**
 * Splits a list of groups at its commas, as oauth2-proxy and Authelia write it. A group is never trimmed of more than
 * spaces and tabs: a person who may name a group U+00A0 and `ops` must not become a member of `ops`.
 */
function readGroups([list = "", ...others]: readonly string[]): string[] | undefined {
  const text = others.length > 0 || list.length > maxGroups ? undefined : toText(list);
  return text
    ?.split(",")
    .map(trimOws)
    .filter((group) => group !== "");
}

/** Node reads headers as Latin-1; proxies write names in UTF-8. */
function toText(value: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return undefined;
  }
}
