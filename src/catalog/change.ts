import { locate } from "../lib/json/position.ts";
import { type Report, toReport } from "./report.ts";
import type { Tool } from "./tool.ts";

const [lf, cr] = [0x0a, 0x0d];
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Reports whether a tool changes documents: its check is whether the result differs, or it fixes what it reports. */
export const isFixer = (tool: Pick<Tool, "check" | "fix"> & { steps?: unknown }): boolean =>
  (tool.check === "change" || tool.fix !== undefined) && tool.steps === undefined;

/**
 * Returns the document as a tool would leave it: the result with the line ends, the byte order mark and the end of the
 * document. Of a tool whose result is exact only a missing final newline is added, because its line ends are its own.
 */
export function toFixed(before: Uint8Array, result: Uint8Array, exact: boolean): Uint8Array {
  const crlf = hasOnlyCrlf(before);
  if (exact) return result.length === 0 ? result : endLike(before, result, crlf, exact);
  const lines = crlf ? toCrlf(result) : result;
  const marked =
    startsWithMark(before) && !startsWithMark(lines) ? Buffer.concat([byteOrderMark, lines]) : lines;
  return endLike(before, marked, crlf, exact);
}

/** Reports whether the document has line ends, and each is CRLF. */
function hasOnlyCrlf(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(lf);
  if (at === -1) return false;
  for (; at !== -1; at = bytes.indexOf(lf, at + 1)) if (bytes[at - 1] !== cr) return false;
  return true;
}

function toCrlf(bytes: Uint8Array): Uint8Array {
  let missing = 0;
  for (let at = bytes.indexOf(lf); at !== -1; at = bytes.indexOf(lf, at + 1))
    if (bytes[at - 1] !== cr) missing++;
  if (missing === 0) return bytes;
  const result = Buffer.allocUnsafe(bytes.length + missing);
  let to = 0;
  let from = 0;
  for (let at = bytes.indexOf(lf); at !== -1; at = bytes.indexOf(lf, at + 1)) {
    if (bytes[at - 1] === cr) continue;
    result.set(bytes.subarray(from, at), to);
    to += at - from;
    result[to++] = cr;
    from = at;
  }
  result.set(bytes.subarray(from), to);
  return result;
}

const startsWithMark = (bytes: Uint8Array): boolean =>
  bytes[0] === byteOrderMark[0] && bytes[1] === byteOrderMark[1] && bytes[2] === byteOrderMark[2];

/** Adds the final newline that the document has; removes the one that it lacks, unless the result is exact. */
function endLike(before: Uint8Array, result: Uint8Array, crlf: boolean, exact: boolean): Uint8Array {
  const [had, has] = [before.at(-1) === lf, result.at(-1) === lf];
  if (had && !has) return Buffer.concat([result, Buffer.from(crlf ? "\r\n" : "\n")]);
  if (had || !has || exact) return result;
  return result.subarray(0, result.at(-2) === cr ? -2 : -1);
}

/** Returns the report of a formatter in check mode: whether it would change the document, and where first. */
export function toChangeReport(rule: string, before: Uint8Array, after: Uint8Array): Report {
  if (Buffer.compare(before, after) === 0) return toReport([]);
  const offset = firstDifference(before, after);
  const message = `${rule} would change the document from here on.`;
  return toReport([{ message, severity: "error", rule, ...locate(before, offset), offset, pointer: "" }]);
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  // Back to the first byte of the character, so that an editor can show the place.
  while (at > 0 && ((a[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
