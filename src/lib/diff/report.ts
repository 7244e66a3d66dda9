import type { Change } from "./text-diff.ts";

/** Differences reported at most. */
const maxShown = 100;

export interface TextDifference {
  message: string;
  rule: "added" | "removed" | "changed";
  /** In UTF-16 code units of the old text. */
  index: number;
}

/** Describes changes of lines as findings in the old text. */
export function toDifferences(changes: readonly Change[]): TextDifference[] {
  const found: TextDifference[] = [];
  let index = 0;
  let count = 0;
  for (const [at, change] of changes.entries()) {
    const { op, units, old, now } = change;
    const length = op === "insert" ? 0 : units.reduce((sum, unit) => sum + unit.length, 0);
    const next = changes[at + 1];
    // A deletion precedes the insertion that replaces it.
    if (op === "delete" || (op === "insert" && changes[at - 1]?.op !== "delete")) {
      count++;
      if (count <= maxShown) {
        const added = op === "insert" ? change : next?.op === "insert" ? next : undefined;
        found.push({
          ...describe(op === "delete" ? lines(old, units) : undefined, added && lines(now, added.units)),
          index,
        });
      }
    }
    index += length;
  }
  if (count > maxShown)
    found.push({ message: `There are ${count - maxShown} more differences.`, rule: "changed", index });
  return found;
}

function describe(
  mine: string | undefined,
  theirs: string | undefined,
): Pick<TextDifference, "message" | "rule"> {
  if (mine === undefined) return { message: `The other text has ${theirs} in addition.`, rule: "added" };
  if (theirs === undefined) return { message: `The other text lacks ${mine}.`, rule: "removed" };
  return { message: `The other text has ${theirs} instead of ${mine}.`, rule: "changed" };
}

/** Names a range of lines, counted from 1. */
const lines = (before: number, { length }: readonly string[]): string =>
  length === 1 ? `line ${before + 1}` : `lines ${before + 1} to ${before + length}`;
