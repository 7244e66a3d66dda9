import type { Change } from "./text-diff.ts";
import { toHunks } from "./unified.ts";

/** Writes the changes as JSON; if lines are compared, with the first old and new line of each, from 1. */
export function toChangeList(changes: readonly Change[], lines: boolean): string {
  const { equal, added, removed } = count(changes);
  const list = changes.map(({ op, units, old, now }) => ({
    op,
    ...(lines && { oldLine: old + 1, newLine: now + 1 }),
    text: units.join(""),
  }));
  return JSON.stringify({ equal, added, removed, changes: list }, null, 2);
}

/** Writes the numbers of units added and removed as JSON. */
export function toStat(changes: readonly Change[], context: number): string {
  return JSON.stringify({ ...count(changes), hunks: toHunks(changes, context).length }, null, 2);
}

function count(changes: readonly Change[]): {
  equal: boolean;
  added: number;
  removed: number;
  unchanged: number;
} {
  const sum = (wanted: Change["op"]): number =>
    changes.reduce((total, { op, units }) => total + (op === wanted ? units.length : 0), 0);
  const [added, removed] = [sum("insert"), sum("delete")];
  return { equal: added + removed === 0, added, removed, unchanged: sum("equal") };
}
