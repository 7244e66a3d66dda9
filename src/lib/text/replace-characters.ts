/** Characters searched at a time. */
const pieceLength = 65_536;

/**
 * Replaces characters like `replaceAll`, in pieces: V8 collects an entry for every match before it replaces
 * any, which for a text full of matches takes many times its memory. In a process that has compiled megabytes of patterns, it
 * also keeps a place for every repetition within a match, and throws a RangeError after some millions of them.
 * @param pattern Matches one character, and depends on no other except the one after a `$`; or several, if it may match fewer.
 */
export function replaceCharacters(text: string, pattern: RegExp, write: (chars: string) => string): string {
  let result = "";
  for (let at = 0, end; at < text.length; at = end) {
    end = Math.min(at + pieceLength, text.length);
    while (end < text.length && belongsToNext(text.charCodeAt(end - 1))) end++;
    result += text.slice(at, end).replaceAll(pattern, write);
  }
  return result;
}

/** The first half of a surrogate pair, or the start of a template literal's `${`. */
const belongsToNext = (unit: number): boolean => unit === 0x24 || (unit >= 0xd800 && unit <= 0xdbff);
