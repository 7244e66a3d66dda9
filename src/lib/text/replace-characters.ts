/** Characters that are searched at a time. */
const pieceLength = 65_536;

/**
 * Replaces characters as `replaceAll` does, in pieces: V8 holds an entry for every match until it has found the last one,
 * which for a text full of matches is many times the text.
 * @param pattern Matches one character, and looks at no other but the one after a `$`.
 */
export function replaceCharacters(text: string, pattern: RegExp, write: (char: string) => string): string {
  let result = "";
  for (let at = 0, end; at < text.length; at = end) {
    end = Math.min(at + pieceLength, text.length);
    while (end < text.length && belongsToNext(text.charCodeAt(end - 1))) end++;
    result += text.slice(at, end).replaceAll(pattern, write);
  }
  return result;
}

/** Half of a surrogate pair, or what a template literal begins with. */
const belongsToNext = (unit: number): boolean => unit === 0x24 || (unit >= 0xd800 && unit <= 0xdbff);
