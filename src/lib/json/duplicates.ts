import { decodeKey } from "./decode-key.ts";
import type { Path } from "./path.ts";
import type { Fault } from "./problem.ts";

/** Most duplicates reported; a hostile document has one every few bytes. */
const maxReported = 100;

/** Returns a function to call for every key entered. Keys are compared by their decoded values. */
export function createDuplicateCheck(
  bytes: Uint8Array,
  path: Path,
  faults: Fault[],
): (from: number, to: number) => void {
  return (from, to) => {
    const keys = path.keys();
    const key = decodeKey(bytes, from, to);
    const first = keys.get(key);
    if (first === undefined) keys.set(key, from);
    else if (faults.length < maxReported) {
      faults.push({
        rule: "duplicate-key",
        message: duplicateKey(key),
        offset: from,
        first,
        pointer: path.pointer(),
      });
    }
  };
}

/** The start of the message; `toProblems` appends both positions. */
export const duplicateKey = (key: string): string => `Duplicate key ${shorten(key)}`;

function shorten(key: string): string {
  const start = Array.from(key.slice(0, 40)).slice(0, 16).join("");
  const safe = start.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "?");
  return `"${safe}${start.length < key.length ? "…" : ""}"`;
}
