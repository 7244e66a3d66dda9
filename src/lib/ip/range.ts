import { DocumentFault } from "../fault.ts";
import { onLine, readLines } from "../lines.ts";
import { formatAddress } from "./format.ts";
import { type Address, parseAddress, widthOf } from "./parse.ts";

/** Most networks: one range of IPv6 can need 254. */
const maxNetworks = 200_000;

/**
 * Returns the fewest networks for each range of a list, one range per line.
 * @param onLineRead Called after each line with the number of networks so far.
 * @throws DocumentFault with the place of a line that is not a range, or at which the networks exceed the
 * limit.
 */
export function coverRanges(document: string, onLineRead: (networks: number) => void = () => {}): string[] {
  const networks: string[] = [];
  for (const line of readLines(document, 10_000)) {
    const { version, first, last } = onLine(line, parseRange);
    for (const network of coverRange(version, first, last)) networks.push(network);
    if (networks.length > maxNetworks)
      throw new DocumentFault(`The ranges need more than ${maxNetworks} networks; send fewer lines.`, {
        index: line.index,
      });
    onLineRead(networks.length);
  }
  if (networks.length === 0)
    throw new DocumentFault("Expected a range such as 10.0.0.1-10.0.0.9.", { index: 0 });
  return networks;
}

function parseRange(text: string): { version: Address["version"]; first: bigint; last: bigint } {
  const dash = text.indexOf("-");
  if (dash < 0) {
    const { version, value } = parseEnd(text, 0);
    return { version, first: value, last: value };
  }
  const first = parseEnd(text.slice(0, dash).trimEnd(), 0);
  const rest = text.slice(dash + 1).trimStart();
  const index = text.length - rest.length;
  const last = parseEnd(rest, index);
  if (first.version !== last.version)
    throw new DocumentFault("A range must begin and end in the same IP version.", { index });
  if (first.value > last.value)
    throw new DocumentFault("The range ends before it begins; swap its addresses.", { index });
  return { version: first.version, first: first.value, last: last.value };
}

function parseEnd(text: string, index: number): Address {
  const address = onLine({ text, index }, parseAddress);
  if (address.zone === undefined) return address;
  throw new DocumentFault("A range has no zone; remove % and the text after it.", {
    index: index + text.indexOf("%"),
  });
}

/** Yields the fewest networks that cover every address from `first` to `last` and no other. */
function* coverRange(version: Address["version"], first: bigint, last: bigint): Generator<string> {
  const width = widthOf(version);
  for (let at = first; at <= last;) {
    // The largest network that is aligned at `at` and ends within the range.
    const bits = Math.min(at === 0n ? width : trailingZeros(at), bitLength(last - at + 1n) - 1);
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
