/** More values than were allowed; the rest was not looked at. */
export const tooMany = -1;

/**
 * One pass over text that should be JSON, before anything is made of it: how many members the object has that the text
 * begins with, a key that comes twice counted twice; `tooMany` where the text has more than `limit` values, keys not
 * counted. What is no JSON is counted all the same, and strings are skipped as JSON has them.
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
        // Each value but the first comes after a comma or a bracket.
        if (++values > limit) return tooMany;
        break;
      case 0x3a:
        if (depth === 1) members++;
        break;
    }
  }
  return members;
}
