import { toJson } from "../data/to-json.ts";
import type { Value } from "../data/value.ts";
import type { Change } from "./changes.ts";

/** Differences reported at most. */
const maxShown = 100;
/** Characters of a value shown in a message. */
const shownLength = 60;

export interface Difference {
  message: string;
  rule: "added" | "removed" | "changed" | "moved";
  /** RFC 6901, in the first document; for additions that of the container. */
  pointer: string;
}

/** Describes changes as findings in the first document. */
export function toDifferences(changes: readonly Change[]): Difference[] {
  const found: Difference[] = changes.slice(0, maxShown).map(({ op, place, target, value, old }) => {
    if (op === "move")
      return {
        message: `The other document has this item at ${JSON.stringify(target)}.`,
        rule: "moved",
        pointer: place,
      };
    if (op === "remove")
      return { message: "The other document has no such value.", rule: "removed", pointer: place };
    if (op === "replace")
      return {
        message: `The other document has ${show(value)} instead of ${show(old)}.`,
        rule: "changed",
        pointer: place,
      };
    const cut = place.lastIndexOf("/");
    return {
      message: `The other document has ${show(value)} at ${JSON.stringify(place)}.`,
      rule: "added",
      pointer: place.slice(0, cut),
    };
  });
  const rest = changes.length - found.length;
  if (rest > 0) found.push({ message: `There are ${rest} more differences.`, rule: "changed", pointer: "" });
  return found;
}

function show(value: Value | undefined): string {
  const text = toJson(value as Value, 0);
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`;
}
