import type { GlobNode } from "../glob/program.ts";

/** Matches the whole numbers of a range, without leading zeros; undefined if it ends before it begins. */
export function numberRange(low: number, high: number): GlobNode | undefined {
  if (low >= high) return undefined;
  const items: GlobNode[] = [];
  if (low < 0) {
    const minus: GlobNode = digits(0x2d, 0x2d);
    const below = positive(Math.max(1, -high), -low);
    items.push({ kind: "sequence", items: [minus, { kind: "choice", items: below }] });
  }
  if (high >= 0) items.push(...positive(Math.max(0, low), high));
  return { kind: "choice", items };
}

/** Patterns of the numbers from one to another, each a digit or a range of digits for each place. */
function positive(low: number, high: number): GlobNode[] {
  const patterns: GlobNode[] = [];
  for (let from = low; from <= high;) {
    // The longest run of numbers that differ only in their last digits, which are all of 0 to 9.
    let size = 1;
    while (
      from % (size * 10) === 0 &&
      from + size * 10 - 1 <= high &&
      String(from).length === String(from + size * 10 - 1).length
    )
      size *= 10;
    let to = from + size - 1;
    const digit = Math.floor(from / size) % 10;
    // And more of them by the digit before those.
    const more = Math.min(9 - digit, Math.floor((high - to) / size));
    to += more * size;
    patterns.push(toPattern(String(from), String(to)));
    from = to + 1;
  }
  return patterns;
}

const toPattern = (from: string, to: string): GlobNode => ({
  kind: "sequence",
  items: Array.from(from, (_, at) => digits(from.charCodeAt(at), to.charCodeAt(at))),
});

function digits(low: number, high: number): GlobNode {
  const test = (character: string): boolean => {
    const point = character.codePointAt(0) ?? 0;
    return low <= point && point <= high;
  };
  return { kind: "one", test, edges: [low, high + 1] };
}
