import { createHash } from "node:crypto";
import { findForeignComments } from "./foreign-comments.ts";
import { findIgnoreComments } from "./ignore-comments.ts";

/** Reports whether a comment of a document is new. */
export type AddedTest = (comment: { line: number; program?: string }) => boolean;

/**
 * Compares the comments of a document with those of an earlier version. A comment is the same if its rule and reason are, and the
 * text of the lines that it is for: moved to another line, it would ignore another finding. Of equal ones, as many are old as there
 * were.
 * @param before undefined if there was no such file.
 */
export function createAddedTest(name: string, text: string, before: string | undefined): AddedTest {
  const left = new Map<string, number>();
  if (before !== undefined)
    for (const [, key] of keysOf(name, before)) left.set(key, (left.get(key) ?? 0) + 1);
  const added = new Set<string>();
  for (const [line, key] of keysOf(name, text)) {
    const count = left.get(key) ?? 0;
    if (count === 0) added.add(line);
    else left.set(key, count - 1);
  }
  return ({ line, program }) => added.has(placeOf(line, program));
}

const placeOf = (line: number, program = ""): string => `${program} ${line}`;

/** Returns each comment by its place, with the text that identifies it. A comment of a range is for the text of all its lines. */
function keysOf(name: string, text: string): [place: string, key: string][] {
  const lines = text.split(/\r\n|\r|\n/);
  const own = findIgnoreComments(name, text).map(
    ({ line, lines: covered, rule, reason }): [string, string] => [
      placeOf(line),
      JSON.stringify([rule, reason, ...covered.map((one) => (lines[one - 1] ?? "").trim())]),
    ],
  );
  const foreign = findForeignComments(text).map(({ line, program, rules, from, to }): [string, string] => {
    const covered = createHash("sha256");
    for (let one = from; one <= to; one++) covered.update(`${(lines[one - 1] ?? "").trim()}\n`);
    return [placeOf(line, program), JSON.stringify([program, rules, covered.digest("hex")])];
  });
  return [...own, ...foreign];
}
