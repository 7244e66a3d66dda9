import { decodeKey } from "./decode-key.ts";
import { parsePointer } from "./pointer.ts";
import type { JsonDialect } from "./source.ts";
import { createTokens } from "./tokens.ts";

/**
 * Returns the index, in UTF-16 code units, of the value at a pointer (RFC 6901) in a valid document of any dialect, or of its
 * nearest ancestor.
 */
export function findPointer(text: string, dialect: JsonDialect, pointer: string): number {
  const path = parsePointer(pointer) ?? [];
  const tokens = createTokens(text, dialect);
  /** For each open container the index of its next item, or -1 in an object. */
  const open: number[] = [];
  /** The number of steps of the path to the innermost container that is on it. */
  let matched = 0;
  let found = 0;
  let key: string | undefined;
  let met = false;
  for (tokens.next(); tokens.kind !== "end"; tokens.next()) {
    const { kind, from } = tokens;
    if (kind === "/" || kind === ":") continue;
    if (kind === ",") {
      const index = open.length - 1;
      if ((open[index] as number) >= 0) open[index] = (open[index] as number) + 1;
      continue;
    }
    if (kind === "}" || kind === "]") {
      // The path leads into this container and no item of it was met.
      if (open.length === matched) return found;
      open.pop();
      key = undefined;
      continue;
    }
    const index = open.at(-1) ?? 0;
    if (index < 0 && key === undefined) {
      const token = text.slice(from, tokens.to);
      key = decodeKey(Buffer.from(token), 0, Buffer.byteLength(token));
      continue;
    }
    const step = index < 0 ? key : String(index);
    key = undefined;
    const here = !met || (open.length === matched && step === path[matched - 1]);
    if (here) {
      found = from;
      if (matched === path.length) return found;
      met = true;
      matched++;
    }
    if (kind === "{" || kind === "[") open.push(kind === "[" ? 0 : -1);
    else if (here) return found;
  }
  return found;
}
