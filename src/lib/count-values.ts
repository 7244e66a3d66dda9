/** Returned if the text has more values than allowed; the rest is not scanned. */
export const tooMany = -1;

/**
 * Scans text that should be JSON before it is parsed. Returns the number of members of the top-level object,
 * counting repeated keys each time, or `tooMany` if the text has more than `limit` values, not counting keys.
 * Invalid JSON is counted too; strings are skipped as in JSON.
 */
export function countMembers(text: Uint8Array, limit: number): number {
  let depth = 0;
  let members = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case 0x22:
        for (at++; at < text.length && text[at] !== 0x22; at++) if (text[at] === 0x5c) at++;
        break;
      case 0x7b:
      case 0x5b:
        depth++;
        if (++values > limit) return tooMany;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        break;
      case 0x2c:
        // Every value except the first follows a comma or a bracket.
        if (++values > limit) return tooMany;
        break;
      case 0x3a:
        if (depth === 1) members++;
        break;
    }
  }
  return members;
}
