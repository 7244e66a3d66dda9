import { locate } from "../lib/json/position.ts";
import { type Report, toReport } from "./report.ts";

/**
 * The verdict of a formatter in check mode: would it change the document?
 * One line end at the end of the document is not a change: editors write it, formatters do not.
 */
export function toChangeReport(rule: string, before: Uint8Array, after: Uint8Array): Report {
  const wanted = after.length;
  const same = before.length >= wanted && Buffer.compare(before.subarray(0, wanted), after) === 0;
  if (
    same &&
    before.length <= wanted + 2 &&
    /^(?:\r?\n)?$/.test(Buffer.from(before.subarray(wanted)).toString("latin1"))
  )
    return toReport([]);
  const offset = firstDifference(before, after);
  const message = `${rule} would change the document, from here on.`;
  return toReport([{ message, severity: "error", rule, ...locate(before, offset), offset, pointer: "" }]);
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  // Back to the first byte of the character, so that the place is one that an editor can show.
  while (at > 0 && ((a[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
