import { DocumentFault } from "../fault.ts";
import { onLine, readLines } from "../lines.ts";
import { formatAddress } from "./format.ts";
import { withoutPort } from "./host.ts";
import { type Network, parseNetwork } from "./network.ts";
import { type Address, parseAddress, widthOf } from "./parse.ts";

/** Most parts of a network. */
const maxParts = 65_536;

/** Most networks: one range of IPv6 can need 254. */
const maxNetworks = 200_000;

/**
 * Returns the fewest networks for each range of a list, one range per line.
 * @param onLineRead Called after each line with the number of networks so far.
 * @throws DocumentFault with the place of a line that is not a range, or at which the networks exceed the
 * limit.
 */
export function coverRanges(
  document: string,
  { merge = false }: { merge?: boolean } = {},
  onLineRead: (networks: number) => void = () => {},
): string[] {
  const networks: string[] = [];
  const read = Array.from(readLines(document, 10_000), (line) => ({
    ...onLine(line, parseRange),
    index: line.index,
  }));
  for (const { version, first, last, index } of merge ? mergeRanges(read) : read) {
    for (const network of coverRange(version, first, last)) networks.push(network);
    if (networks.length > maxNetworks)
      throw new DocumentFault(`The ranges need more than ${maxNetworks} networks; send fewer lines.`, {
        index,
      });
    onLineRead(networks.length);
  }
  if (networks.length === 0)
    throw new DocumentFault("Expected a range such as 10.0.0.1-10.0.0.9.", { index: 0 });
  return networks;
}

interface Range {
  version: Address["version"];
  first: bigint;
  last: bigint;
}

function parseRange(text: string): Range {
  if (text.includes("/") || maskAfterSpace.test(text)) {
    const { address, first, last } = parseNetwork(text);
    return { version: address.version, first, last };
  }
  const wild = wildcardRange(text);
  if (wild !== undefined) return wild;
  // Word processors write an en dash; U+2010 to U+2015 and the minus sign look alike.
  const dash = text.search(/[-\u2010-\u2015\u2212]/);
  if (dash < 0) {
    const host = withoutPort(text);
    const { version, value } = parseEnd(host.text, host.index);
    return { version, first: value, last: value };
  }
  const first = parseEnd(text.slice(0, dash).trimEnd(), 0);
  const rest = text.slice(dash + 1).trimStart();
  const index = text.length - rest.length;
  // 10.0.0.1-9, as nmap has it.
  const isLastPart = first.version === 4 && /^(?:0|[1-9]\d{0,2})$/.test(rest) && Number(rest) < 256;
  const last = isLastPart
    ? { version: first.version, value: (first.value & ~255n) | BigInt(rest) }
    : parseEnd(rest, index);
  if (first.version !== last.version)
    throw new DocumentFault("A range must begin and end in the same IP version.", { index });
  if (first.value > last.value)
    throw new DocumentFault("The range ends before it begins; swap its addresses.", { index });
  return { version: first.version, first: first.value, last: last.value };
}

/** 10.0.0.0 255.255.255.0 and 10.0.0.0 0.0.0.255, as routers have it. */
const maskAfterSpace = /^[\d.]+[ \t]+(?:255|0)\.[\d.]+$/;

/** Returns the range of 192.168.*.*, whose last parts may have any value; undefined if there is none at the end of four parts. */
function wildcardRange(text: string): Range | undefined {
  if (!/^(?:\d{1,3}\.){1,3}\*(?:\.\*)*$/.test(text) || text.split(".").length !== 4) return undefined;
  return {
    version: 4,
    first: parseEnd(text.replaceAll("*", "0"), 0).value,
    last: parseEnd(text.replaceAll("*", "255"), 0).value,
  };
}

/** Joins ranges that overlap or touch, in the order of their addresses, IPv4 first. */
function mergeRanges<R extends Range>(ranges: readonly R[]): R[] {
  const merged: R[] = [];
  const sorted = ranges.toSorted(
    (a, b) => a.version - b.version || (a.first < b.first ? -1 : a.first > b.first ? 1 : 0),
  );
  for (const range of sorted) {
    const before = merged.at(-1);
    if (before === undefined || before.version !== range.version || range.first > before.last + 1n)
      merged.push({ ...range });
    else if (range.last > before.last) before.last = range.last;
  }
  return merged;
}

/**
 * Returns the parts of a network outside of others, as the fewest networks, cut into networks of a prefix length if one is
 * given.
 * @throws DocumentFault if there are too many.
 */
export function partsOf(
  { address: { version }, first, last }: Network,
  { split, exclude }: { split?: number | undefined; exclude: readonly Network[] },
): string[] {
  const holes = mergeRanges(
    exclude
      .filter((one) => one.address.version === version)
      .map((one) => ({ version, first: one.first, last: one.last })),
  );
  const rest: Range[] = [];
  let from = first;
  for (const hole of holes) {
    if (hole.last < from || hole.first > last) continue;
    if (hole.first > from) rest.push({ version, first: from, last: hole.first - 1n });
    from = hole.last + 1n;
  }
  if (from <= last) rest.push({ version, first: from, last });
  const parts: string[] = [];
  const most = split === undefined ? 0 : widthOf(version) - split;
  for (const range of rest) {
    for (const part of coverRange(version, range.first, range.last, split === undefined ? undefined : most)) {
      parts.push(part);
      if (parts.length > maxParts)
        throw new DocumentFault(
          `There are more than ${maxParts} networks; choose a shorter prefix.`,
          {},
          "too-many",
        );
    }
  }
  return parts;
}

function parseEnd(text: string, index: number): Address {
  const address = onLine({ text, index }, parseAddress);
  if (address.zone === undefined) return address;
  throw new DocumentFault("A range has no zone; remove % and the text after it.", {
    index: index + text.indexOf("%"),
  });
}

/**
 * Yields the fewest networks that cover every address from `first` to `last` and no other.
 * @param most Bits of the host part of the largest of them.
 */
function* coverRange(
  version: Address["version"],
  first: bigint,
  last: bigint,
  most: number = widthOf(version),
): Generator<string> {
  const width = widthOf(version);
  for (let at = first; at <= last;) {
    // The largest network that is aligned at `at` and ends within the range.
    const bits = Math.min(at === 0n ? width : trailingZeros(at), bitLength(last - at + 1n) - 1, most);
    yield `${formatAddress({ version, value: at })}/${width - bits}`;
    at += 1n << BigInt(bits);
  }
}

/** Returns the number of trailing zero bits of a value above 0. */
const trailingZeros = (value: bigint): number => bitLength(value & -value) - 1;

/** Returns the bit length of a value above 0. */
function bitLength(value: bigint): number {
  let bits = 0;
  let rest = value;
  for (; rest > 0xffffffffn; rest >>= 32n) bits += 32;
  return bits + 32 - Math.clz32(Number(rest));
}
