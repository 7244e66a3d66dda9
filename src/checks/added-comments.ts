import { findIgnoreComments, type IgnoreComment } from "./ignore-comments.ts";

/** Reports whether a comment of a document is new. */
export type AddedTest = (comment: IgnoreComment) => boolean;

/**
 * Compares the comments of a document with those of an earlier version. A comment is the same if its rule and reason are, and the
 * text of the lines that it is for: moved to another line, it would ignore another finding. Of equal ones, as many are old as there
 * were.
 * @param before undefined if there was no such file.
 */
export function createAddedTest(name: string, text: string, before: string | undefined): AddedTest {
  const left = new Map<string, number>();
  if (before !== undefined)
    for (const key of keysOf(name, before).values()) left.set(key, (left.get(key) ?? 0) + 1);
  const added = new Set<number>();
  for (const [line, key] of keysOf(name, text)) {
    const count = left.get(key) ?? 0;
    if (count === 0) added.add(line);
    else left.set(key, count - 1);
  }
  return ({ line }) => added.has(line);
}

/** Returns the text that identifies each comment, by its line; a line has one at most. */
function keysOf(name: string, text: string): Map<number, string> {
  const lines = text.split(/\r\n|\r|\n/);
  return new Map(
    findIgnoreComments(name, text).map(({ line, lines: covered, rule, reason }) => [
      line,
      JSON.stringify([rule, reason, ...covered.map((one) => (lines[one - 1] ?? "").trim())]),
    ]),
  );
}
