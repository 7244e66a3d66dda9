import { type Row, type Side, toRows } from "./rows.ts";

/** The content of one drawn line: a row of the difference, or equal lines that it leaves out. */
export type Line = Row | Fold;

/** Equal lines, from 1. */
export interface Fold {
  from: { before: number; after: number };
  count: number;
}

export const isFold = (line: Line | undefined): line is Fold => line !== undefined && "count" in line;

/**
 * Returns the lines of a unified difference, and the equal ones between its hunks as folds; undefined if the text is no difference.
 * @param lines Number of lines of the old text, if it is known.
 */
export function toLines(patch: string, lines: number | undefined): Line[] | undefined {
  if (patch === "") return [];
  const rows = toRows(patch);
  if (rows === undefined) return undefined;
  const found: Line[] = [];
  let [before, after] = [1, 1];
  const fold = (to: number): void => {
    if (to > before) found.push({ from: { before, after }, count: to - before });
  };
  for (const [index, row] of rows.entries()) {
    const isGap = row.before === undefined && row.after === undefined;
    // The first row of a hunk has at least one side; a hunk that only adds says by the other side where it is.
    if (index === 0 || isGap) {
      const next = isGap ? rows[index + 1] : row;
      const beginning = next?.before?.line ?? before + ((next?.after?.line ?? after) - after);
      fold(beginning);
      after += beginning - before;
      before = beginning;
    }
    if (isGap) continue;
    found.push(row);
    if (row.before !== undefined) before = row.before.line + 1;
    if (row.after !== undefined) after = row.after.line + 1;
  }
  if (lines !== undefined) fold(lines + 1);
  return found;
}

/** Returns the equal lines of a fold. */
export const unfold = (
  { from: { before, after }, count }: Fold,
  olds: readonly string[],
  news: readonly string[],
): Line[] =>
  Array.from({ length: count }, (_, index) => ({
    before: toSide(before + index, olds),
    after: toSide(after + index, news),
  }));

const toSide = (line: number, lines: readonly string[]): Side => ({
  line,
  text: lines[line - 1] ?? "",
  isChanged: false,
});

/** Returns the lines of a text without their ends; the end of the last one begins no other. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export const isChange = (line: Line | undefined): boolean =>
  line !== undefined && !isFold(line) && (line.before?.isChanged ?? line.after?.isChanged ?? false);

/** Returns the indexes of the lines with which a change begins. */
export const findChanges = (lines: readonly Line[]): number[] =>
  lines.flatMap((line, index) => (isChange(line) && !isChange(lines[index - 1]) ? [index] : []));

export function countLines(lines: readonly Line[]): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  for (const line of lines) {
    if (isFold(line)) continue;
    if (line.before?.isChanged === true) counts.removed++;
    if (line.after?.isChanged === true) counts.added++;
  }
  return counts;
}
