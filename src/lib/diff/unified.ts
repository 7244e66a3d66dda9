import type { Change } from "./text-diff.ts";

export interface Hunk {
  oldStart: number;
  newStart: number;
  oldLines: number;
  newLines: number;
  /** Lines with their sign, " ", "-" or "+", and line end. */
  lines: string[];
}

/** Writes changes by line as a unified patch in the format of diff -u; "" if there are none. */
export function toUnified(
  changes: readonly Change[],
  context: number,
  [from, to]: readonly string[],
): string {
  const hunks = toHunks(changes, context);
  if (hunks.length === 0) return "";
  const parts = [`--- ${from}\n+++ ${to}\n`];
  for (const { oldStart, oldLines, newStart, newLines, lines } of hunks) {
    parts.push(`@@ -${toRange(oldStart, oldLines)} +${toRange(newStart, newLines)} @@\n`);
    for (const line of lines)
      parts.push(line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`);
  }
  return parts.join("");
}

/** An empty range is named by the line before it. */
const toRange = (start: number, count: number): string =>
  count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;

/** Groups changes with `context` lines around them; changes whose context touches form one hunk. */
export function toHunks(changes: readonly Change[], context: number): Hunk[] {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  for (const [index, { op, units, old, now }] of changes.entries()) {
    if (op !== "equal") {
      open ??= begin(hunks, changes[index - 1], old, now, context);
      append(open, op === "delete" ? "-" : "+", units);
    } else if (open !== undefined) {
      const last = index === changes.length - 1;
      const whole = !last && units.length <= 2 * context;
      append(open, " ", whole ? units : units.slice(0, context));
      if (!whole) open = undefined;
    }
  }
  return hunks;
}

function begin(hunks: Hunk[], before: Change | undefined, old: number, now: number, context: number): Hunk {
  const lines = before === undefined || context === 0 ? [] : before.units.slice(-context);
  const hunk: Hunk = {
    oldStart: old - lines.length,
    newStart: now - lines.length,
    oldLines: 0,
    newLines: 0,
    lines: [],
  };
  append(hunk, " ", lines);
  hunks.push(hunk);
  return hunk;
}

function append(hunk: Hunk, sign: " " | "-" | "+", lines: readonly string[]): void {
  for (const line of lines) hunk.lines.push(sign + line);
  if (sign !== "+") hunk.oldLines += lines.length;
  if (sign !== "-") hunk.newLines += lines.length;
}
