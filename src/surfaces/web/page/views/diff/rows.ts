import { defined } from "../../../../../lib/defined.ts";

/** A line of one of two documents. */
export interface Side {
  /** From 1. */
  line: number;
  text: string;
  /** Whether the other document does not have it. */
  isChanged: boolean;
}

/** Lines that stand beside each other; one is undefined where the other document has more lines. */
export interface Row {
  before?: Side;
  after?: Side;
}

/** Returns the rows of a unified difference, with an empty row between its hunks; undefined if the text is none. */
export function toRows(text: string): Row[] | undefined {
  const rows: Row[] = [];
  let removed: Side[] = [];
  let added: Side[] = [];
  let before = 0;
  let after = 0;
  let hasHunk = false;

  /** Puts what was removed beside what was added in its place. */
  function flush(): void {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      rows.push(defined({ before: removed[index], after: added[index] }));
    }
    removed = [];
    added = [];
  }

  for (const line of text.split("\n")) {
    const [, left, right] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    const content = line.slice(1);
    if (left !== undefined && right !== undefined) {
      flush();
      if (hasHunk) rows.push({});
      hasHunk = true;
      before = Number(left);
      after = Number(right);
    } else if (!hasHunk) continue;
    else if (line.startsWith("-")) {
      // After an addition, a removal begins another change.
      if (added.length > 0) flush();
      removed.push({ line: before++, text: content, isChanged: true });
    } else if (line.startsWith("+")) added.push({ line: after++, text: content, isChanged: true });
    else if (line.startsWith(" ")) {
      flush();
      rows.push({
        before: { line: before++, text: content, isChanged: false },
        after: { line: after++, text: content, isChanged: false },
      });
    }
  }
  flush();
  return hasHunk ? rows : undefined;
}
