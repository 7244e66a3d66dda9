import { endOfString } from "./sort-keys.ts";

/** Returns the offset after the value that begins at `from` in a valid document. */
export function endOfValue(data: Uint8Array, from: number): number {
  const first = data[from];
  if (first === 0x22) return endOfString(data, from);
  let at = from + 1;
  if (first !== 0x7b && first !== 0x5b) {
    while (at < data.length && !isEndOfScalar(data[at] as number)) at++;
    return at;
  }
  for (let depth = 1; depth > 0 && at < data.length; at++) {
    const byte = data[at];
    if (byte === 0x22) at = endOfString(data, at) - 1;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return at;
}

/** Reports whether a number or a word ends before this byte: a comma, a closing bracket or white space. */
export const isEndOfScalar = (byte: number): boolean =>
  byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d;
