import { DocumentFault } from "../fault.ts";
import { onLine, readLines } from "../lines.ts";
import { coverRange } from "./cover.ts";
import { type Address, parseAddress } from "./parse.ts";

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
