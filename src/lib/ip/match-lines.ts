import { DocumentFault } from "../fault.ts";
import { onLine, readLines } from "../lines.ts";
import { createMatcher } from "./match.ts";
import type { Network } from "./network.ts";
import { parseHost } from "./host.ts";

/** Most matches: every line can be in 129 networks. */
const maxMatches = 500_000;

/**
 * Lists the networks that contain each address of a list; `names` are the networks' names.
 * @param onLineRead Called after each line with the number of lines and matches so far.
 * @throws DocumentFault with the place of a line that is not an address, or at which the matches exceed the
 * limit.
 */
export function matchLines(
  document: string,
  networks: readonly Network[],
  names: readonly string[],
  onLineRead: (size: number) => void = () => {},
): { ip: string; matched: boolean; cidrs: string[] }[] {
  const match = createMatcher(networks);
  let count = 0;
  return Array.from(readLines(document, 100_000), (line, order) => {
    const cidrs = match(onLine(line, parseHost)).map((index) => names[index] as string);
    count += cidrs.length;
    if (count > maxMatches)
      throw new DocumentFault(`There are more than ${maxMatches} matches up to here; send fewer lines.`, {
        index: line.index,
      });
    onLineRead(order + 1 + count);
    return { ip: line.text, matched: cidrs.length > 0, cidrs };
  });
}
