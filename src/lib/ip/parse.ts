import { DocumentFault, unlessFault } from "../fault.ts";

export interface Address {
  version: 4 | 6;
  value: bigint;
  /** RFC 4007 §11: the text after % in a link-local address. */
  zone?: string;
}

/** Bits of an address. */
export const widthOf = (version: 4 | 6): 32 | 128 => (version === 4 ? 32 : 128);

/**
 * Parses one address. IPv4 is four decimal numbers without leading zeros: some parsers read `010` as 8 and
 * others as 10, which has opened firewalls. IPv6 follows RFC 4291 §2.2, with an optional zone.
 * @throws DocumentFault with the index of the fault in `text`.
 */
export function parseAddress(text: string): Address {
  if (!text.includes(":")) return { version: 4, value: parseV4(text, 0) };
  const percent = text.indexOf("%");
  if (percent < 0) return { version: 6, value: parseV6(text) };
  const zone = text.slice(percent + 1);
  if (!/^[\w.~-]{1,64}$/.test(zone))
    throw new DocumentFault("A zone after % must be one word.", { index: percent });
  return { version: 6, value: parseV6(text.slice(0, percent)), zone };
}

/**
 * Reports whether a text is an address, or a network as address/prefix, without a zone, which has no meaning
 * on another host.
 */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  if (rest.length > 0 || address.includes("%")) return false;
  const version = unlessFault(() => parseAddress(address))?.version;
  if (version === undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= widthOf(version));
}

function parseV4(text: string, at: number): bigint {
  const parts = text.split(".", 5);
  if (parts.length !== 4) {
    throw new DocumentFault("An IPv4 address must be four numbers separated by dots.", { index: at });
  }
  let value = 0n;
  let index = at;
  for (const part of parts) {
    if (!/^\d{1,3}$/.test(part) || Number(part) > 255)
      throw new DocumentFault("Each part of an IPv4 address must be 0 to 255.", { index });
    if (part.length > 1 && part.startsWith("0"))
      throw new DocumentFault("Some parsers read a leading zero as octal; remove it.", { index });
    value = (value << 8n) | BigInt(part);
    index += part.length + 1;
  }
  return value;
}

function parseV6(text: string): bigint {
  const gap = text.indexOf("::");
  if (gap >= 0 && text.includes("::", gap + 1))
    throw new DocumentFault("An IPv6 address can contain :: only once.", {
      index: text.indexOf("::", gap + 1),
    });
  if (gap < 0) {
    const groups = parseGroups(text, 0, true);
    if (groups.length !== 8) throw wrongCount(groups.length);
    return join(groups);
  }
  const head = parseGroups(text.slice(0, gap), 0, false);
  const tail = parseGroups(text.slice(gap + 2), gap + 2, true);
  const missing = 8 - head.length - tail.length;
  // RFC 4291 §2.2 (2): :: stands for one or more groups.
  if (missing < 1) throw wrongCount(head.length + tail.length);
  return join([...head, ...Array<number>(missing).fill(0), ...tail]);
}

const wrongCount = (count: number): DocumentFault =>
  new DocumentFault(
    `An IPv6 address must have eight groups, or fewer and one ::; this has ${count > 8 ? "more than 8" : count}.`,
    { index: 0 },
  );

/** Groups of sixteen bits; the last two may be written as an IPv4 address (RFC 4291 §2.2 (3)). */
function parseGroups(text: string, at: number, end: boolean): number[] {
  if (text === "") return [];
  const groups: number[] = [];
  let index = at;
  const parts = text.split(":", 10);
  for (const [order, part] of parts.entries()) {
    if (end && order === parts.length - 1 && part.includes(".")) {
      const value = Number(parseV4(part, index));
      groups.push(Math.floor(value / 0x10000), value % 0x10000);
    } else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(parseInt(part, 16));
    else
      throw new DocumentFault("Each group of an IPv6 address must be one to four hexadecimal digits.", {
        index,
      });
    index += part.length + 1;
  }
  return groups;
}

const join = (groups: readonly number[]): bigint =>
  groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
