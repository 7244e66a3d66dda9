/** How many members the object has that the text begins with, a key that comes twice counted twice. */
export function countMembers(text: Uint8Array): number {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === 0x22) {
      for (at++; at < text.length && text[at] !== 0x22; at++) if (text[at] === 0x5c) at++;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x3a && depth === 1) members++;
  }
  return members;
}

/**
 * Whether text that should be JSON has more than `limit` values, keys not counted. What is no JSON is counted
 * all the same, and strings are skipped as JSON has them.
 */
export function hasMoreValues(text: Uint8Array, limit: number): boolean {
  // Each value but the first comes after a comma or a bracket, and takes a byte itself.
  if (text.length <= limit) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === 0x22) {
      for (at++; at < text.length && text[at] !== 0x22; at++) if (text[at] === 0x5c) at++;
    } else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) {
      if (++values > limit) return true;
    }
  }
  return false;
}
