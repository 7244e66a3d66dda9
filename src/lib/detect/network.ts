import { isNetwork, parseAddress } from "../ip/parse.ts";
import { accepts, type Guess } from "./guess.ts";
import type { Sample } from "./sample.ts";

type Form = "address" | "network" | "masked" | "range" | "other";

/** Addresses, networks and ranges of IP: one, or a list. */
export function detectNetwork({ text, lines }: Sample): Guess[] {
  if (text.length > 65_536 || !/[.:]/.test(text.slice(0, 200))) return [];
  const parts = lines
    .filter((line) => !/^\s*[#;]/.test(line))
    .flatMap((line) =>
      line
        .replace(/\s+#.*$/, "")
        .split(/\s*[,;]\s*|^\s*[-*] +/)
        .filter((part) => part !== ""),
    );
  const items = parts
    .slice(0, 300)
    .flatMap((part) => (formOf(part) === "other" ? part.split(/\s+/) : [part]));
  const count = { address: 0, network: 0, masked: 0, range: 0, other: 0 };
  for (const each of items) count[formOf(each.replaceAll(/^["'[(]+|["'\]),]+$/g, ""))]++;
  const known = items.length - count.other;
  const { line } = { line: lines.length === 1 };
  if (known === 0 || known < items.length * 0.8) return line ? ofEndpoint(text) : [];
  const add = (kind: Guess["kind"], confidence: number, reason: string): Guess[] => [
    { kind, confidence, reason },
  ];
  if (count.range > 0) return add("ip-ranges", 0.96, "It has ranges of IP addresses.");
  if (items.length === 1)
    return count.address === 1
      ? add("ip-address", 0.94, "It is an IP address.")
      : add("network", 0.96, "It is an IP network.");
  if (count.masked > 0 && items.length < 3) return add("network", 0.95, "It is an address with a mask.");
  const networks = count.network + count.masked;
  return networks >= count.address
    ? add("networks", 0.95, "It is a list of IP networks.")
    : add("ip-addresses", 0.95, "It is a list of IP addresses.");
}

function formOf(text: string): Form {
  if (text.length > 100 || (!/^[\da-fA-F]/.test(text) && !text.startsWith("::"))) return "other";
  if (isAddress(text)) return "address";
  if (text.includes("/") && isNetwork(text)) return "network";
  const [, first = "", mask = ""] =
    /^(\S+?)(?:\s*\/\s*|\s+(?:netmask\s+|mask\s+)?)(\d+\.\d+\.\d+\.\d+)$/i.exec(text) ?? [];
  if (isAddress(first) && isMask(mask)) return "masked";
  const [, from = "", to = ""] = /^(\S+?)\s*(?:-|–|\.\.|\s+to\s+)\s*(\S+)$/.exec(text) ?? [];
  if (isAddress(from) && (isAddress(to) || /^\d{1,3}$/.test(to))) return "range";
  if (/^\d{1,3}(?:\.\d{1,3}){0,2}(?:\.\*){1,3}$/.test(text)) return "range";
  return "other";
}

/** A mask, or the inverse mask of a router. */
const isMask = (text: string): boolean => isAddress(text) && /^(?:255|0)\./.test(text);

/** Its characters are checked first: an exception for each word of a list would take most of the time. */
const isAddress = (text: string): boolean =>
  /^(?=[^%]*[.:])[\da-f.:]+(?:%|$)/i.test(text) && accepts(() => parseAddress(text));

function ofEndpoint(text: string): Guess[] {
  if (/^(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}$|^\[[\da-f:]+\](?::\d{1,5})?$/i.test(text))
    return [{ kind: "ip-address", confidence: 0.75, reason: "It is an IP address with a port." }];
  if (/\.(?:in-addr|ip6)\.arpa\.?$/i.test(text))
    return [{ kind: "network", confidence: 0.85, reason: "It is a name of a reverse zone." }];
  if (/\b(?:inet6?|netmask|subnet|cidr)\b/i.test(text) && /\d+\.\d+\.\d+\.\d+/.test(text))
    return [{ kind: "network", confidence: 0.8, reason: "It names an address and its mask." }];
  if (/^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i.test(text))
    return [{ kind: "mac-address", confidence: 0.92, reason: "It is a MAC address." }];
  return [];
}
