import { markLength } from "./byte-order-mark.ts";
import { createDuplicateCheck } from "./duplicates.ts";
import { createPath, type Path } from "./path.ts";
import type { Fault } from "./problem.ts";
import { scanNumber } from "./scan-number.ts";
import { skipSpace } from "./scan-space.ts";
import { scanString } from "./scan-string.ts";
import { scanIdentifier, scanWord } from "./scan-word.ts";
import { isDigit, refuse, type JsonDialect, type Source } from "./source.ts";
import { refuseAfterKey, refuseAfterValue, refuseKey, refuseTrailing, refuseValue } from "./mistakes.ts";

export interface ScanOptions {
  dialect: JsonDialect;
  duplicateKeys: "error" | "allow";
  /** Most containers open at once. */
  maxDepth: number;
  /** A mark at the beginning of a document in the dialect json; the other dialects skip it. */
  byteOrderMark: "skip" | "refuse";
}

/** State shared by the parts of one scan. */
interface Scan extends Source {
  readonly path: Path;
  /** Called with each key entered. */
  readonly onKey: (from: number, to: number) => void;
}

/**
 * Returns the faults of the document: duplicate keys in order, and at most one other fault, the last, which
 * ended the scan. Bytes above 0x7f in strings are not checked.
 */
export function scanDocument(bytes: Uint8Array, options: ScanOptions): Fault[] {
  const faults: Fault[] = [];
  const path = createPath(bytes);
  const duplicates = createDuplicateCheck(bytes, path, faults);
  const scan: Scan = {
    bytes,
    dialect: options.dialect,
    refusal: undefined,
    path,
    onKey: options.duplicateKeys === "error" ? duplicates : () => {},
  };

  let at = skipByteOrderMark(scan, options);
  if (at >= 0) at = skipSpace(scan, at);
  // Iterative: nesting costs an entry of the path, not a stack frame.
  while (at >= 0) {
    const byte = bytes[at];
    if (byte !== 0x7b && byte !== 0x5b) {
      at = scanScalar(scan, at);
    } else {
      if (path.depth() >= options.maxDepth) {
        at = refuseDepth(scan, at, options.maxDepth);
        break;
      }
      path.open(byte);
      at = skipSpace(scan, at + 1);
      if (at < 0) break;
      if (bytes[at] !== byte + 2) {
        if (byte === 0x7b) at = scanKey(scan, at);
        continue;
      }
      path.close();
      at++;
    }
    if (at >= 0) at = scanAfterValue(scan, at);
  }

  if (scan.refusal) faults.push(toFault(scan, scan.refusal));
  return faults;
}

function toFault({ path }: Scan, refusal: NonNullable<Scan["refusal"]>): Fault {
  const open = path.summary();
  const stillOpen =
    refusal.rule === "truncated" && open ? ` Still open: ${open}. Was the document cut off?` : "";
  return { ...refusal, message: refusal.message + stillOpen, pointer: path.pointer() };
}

function skipByteOrderMark(scan: Scan, { dialect, byteOrderMark }: ScanOptions): number {
  const length = markLength(scan.bytes);
  if (length === 0 || dialect !== "json" || byteOrderMark === "skip") return length;
  refuse(scan, 0, "There is a byte order mark (U+FEFF), which JSON does not allow here; remove it.");
  if (scan.refusal) scan.refusal.rule = "byte-order-mark";
  return -1;
}

function refuseDepth(scan: Scan, at: number, maxDepth: number): -1 {
  refuse(scan, at, `The document is nested more than ${maxDepth} levels deep.`);
  if (scan.refusal) scan.refusal.rule = "too-deep";
  return -1;
}

function scanScalar(scan: Scan, at: number): number {
  const { bytes, dialect } = scan;
  const byte = bytes[at] ?? 0;
  if (byte === 0x22 || (byte === 0x27 && dialect === "json5")) return scanString(scan, at);
  if (isDigit(byte) || byte === 0x2d || byte === 0x2b || byte === 0x2e) return scanNumber(scan, at);
  if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) return scanWord(scan, at);
  return refuseValue(scan, at, scan.path.closer());
}

/** Scans a key and its colon; returns the offset of the value. */
function scanKey(scan: Scan, from: number): number {
  const { bytes, dialect } = scan;
  const byte = bytes[from] ?? 0;
  let at: number;
  if (byte === 0x22 || (byte === 0x27 && dialect === "json5")) at = scanString(scan, from);
  else if (dialect === "json5" && byte > 0x20 && !`,:[]{}'`.includes(String.fromCharCode(byte)))
    at = scanIdentifier(scan, from);
  else return refuseKey(scan, from);
  if (at < 0) return at;
  scan.path.key(from, at);
  scan.onKey(from, at);
  at = skipSpace(scan, at);
  if (at < 0) return at;
  return bytes[at] === 0x3a ? skipSpace(scan, at + 1) : refuseAfterKey(scan, at);
}

/** Closes the containers that end after a value; returns the offset of the next value, or -1 at the end. */
function scanAfterValue(scan: Scan, from: number): number {
  const { bytes, path } = scan;
  let at = from;
  while (true) {
    at = skipSpace(scan, at);
    if (at < 0) return at;
    const close = path.closer();
    if (close === 0) return at < bytes.length ? refuseTrailing(scan, at) : -1;
    if (bytes[at] === 0x2c) {
      const comma = at;
      at = skipSpace(scan, at + 1);
      if (at < 0) return at;
      if (bytes[at] !== close) {
        path.next();
        return close === 0x7d ? scanKey(scan, at) : at;
      }
      if (scan.dialect === "json") {
        return refuse(scan, comma, "Nothing follows this comma; JSON allows no trailing comma, remove it.");
      }
    } else if (bytes[at] !== close) {
      return refuseAfterValue(scan, at, close);
    }
    path.close();
    at++;
  }
}
