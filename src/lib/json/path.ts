import { counted } from "../counted.ts";
import { decodeKey } from "./decode-key.ts";
import { escapeToken, maxPointer } from "./pointer.ts";

/** The position of a scan: one entry per open container. */
export interface Path {
  depth(): number;
  /** The byte that closes the innermost container; 0 outside all. */
  closer(): number;
  open(bracket: number): void;
  close(): void;
  /** Moves past a comma. */
  next(): void;
  /** Enters the member whose key lies in this range. */
  key(from: number, to: number): void;
  /** The keys of the innermost object with their offsets; the caller fills it. */
  keys(): Map<string, number>;
  pointer(): string;
  /** "2 objects and 1 array", or "". */
  summary(): string;
}

export function createPath(bytes: Uint8Array): Path {
  const closers: number[] = [];
  /** Offset of the key; -1 in an object before a key and in an array. */
  const starts: number[] = [];
  /** End of the key, or index of the element. */
  const ends: number[] = [];
  /** Maps, because their hash is seeded: nobody can provoke collisions. */
  const seen: (Map<string, number> | undefined)[] = [];

  function token(level: number): string | undefined {
    if (closers[level] === 0x5d) return String(ends[level]);
    const from = starts[level] as number;
    const to = ends[level] as number;
    if (from < 0) return "";
    // An escape of six bytes is one character.
    if (to - from > 6 * maxPointer) return undefined;
    return escapeToken(decodeKey(bytes, from, to));
  }

  return {
    depth: () => closers.length,
    closer: () => closers.at(-1) ?? 0,
    open(bracket) {
      closers.push(bracket + 2);
      starts.push(-1);
      ends.push(0);
      seen.push(undefined);
    },
    close() {
      closers.pop();
      starts.pop();
      ends.pop();
      seen.pop();
    },
    next() {
      const level = closers.length - 1;
      if (closers[level] === 0x5d) ends[level] = (ends[level] as number) + 1;
      else starts[level] = -1;
    },
    key(from, to) {
      starts[starts.length - 1] = from;
      ends[ends.length - 1] = to;
    },
    keys: () => (seen[seen.length - 1] ??= new Map()),
    pointer() {
      let pointer = "";
      for (let level = 0; level < closers.length; level++) {
        if (closers[level] === 0x7d && (starts[level] as number) < 0) break;
        const part = token(level);
        if (part === undefined || pointer.length + part.length >= maxPointer) break;
        pointer += `/${part}`;
      }
      return pointer;
    },
    summary() {
      const objects = closers.filter((closer) => closer === 0x7d).length;
      return [plural(objects, "object"), plural(closers.length - objects, "array")]
        .filter(Boolean)
        .join(" and ");
    },
  };
}

function plural(count: number, noun: string): string {
  return count === 0 ? "" : counted(count, noun);
}
