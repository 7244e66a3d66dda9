import { type Report, toReport } from "../catalog/report.ts";
import { checkLength } from "../lib/data/result-length.ts";
import { compareCodePoints } from "../lib/json/code-point-order.ts";
import type { ListedItem } from "../lib/text/compare-lists.ts";
import { type FoundFault, toSortedFindings } from "./findings.ts";
import { refusing } from "./refusing.ts";

/** Differences reported at most. */
const maxShown = 100;

/** Writes items with their counts as JSON. @throws ToolError invalid_document if the text would be too long. */
export function writeCounts(items: readonly ListedItem[], sort: boolean): string {
  const sorted = sort ? items.toSorted((a, b) => compareCodePoints(a.item, b.item)) : items;
  const rows = sorted.map(({ item, first, second }) => ({
    item,
    in: second === 0 ? "first" : first === 0 ? "second" : "both",
    first,
    second,
  }));
  const around = 90;
  refusing("", () => checkLength(rows.reduce((length, { item }) => length + item.length + around, 0)));
  return JSON.stringify(rows, null, 2);
}

/** Writes items one a line. */
export const writeItems = (items: readonly string[], sort: boolean): string =>
  (sort ? items.toSorted(compareCodePoints) : items).join("\n");

/** Reports each item that only one of the lists has, at its place if that is the first. */
export function toListReport(data: string, items: readonly ListedItem[], repeated: boolean): Report {
  const different = items.filter(({ first, second }) =>
    repeated ? first !== second : first === 0 || second === 0,
  );
  const faults = different.slice(0, maxShown).map(({ item, first, second, index }): FoundFault => {
    const quoted = JSON.stringify(item.length > 200 ? `${item.slice(0, 200)}…` : item);
    if (first === 0) return { rule: "only-second", message: `The other list has ${quoted} too.`, index: 0 };
    const message =
      second === 0
        ? `The other list lacks ${quoted}.`
        : `The other list has ${quoted} ${second} times, not ${first}.`;
    return { rule: second === 0 ? "only-first" : "other-count", message, index };
  });
  const rest = different.length - faults.length;
  if (rest > 0)
    faults.push({ rule: "other-count", message: `There are ${rest} more differences.`, index: 0 });
  return toReport(toSortedFindings(data, faults));
}
