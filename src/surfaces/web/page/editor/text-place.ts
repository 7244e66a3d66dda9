/** Returns the index of a place in a text: line and column from 1, the column in code points. */
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let left = line - 1; left > 0; left--) {
    const end = text.indexOf("\n", at);
    if (end === -1) break;
    at = end + 1;
  }
  // A character of two code units begins with a surrogate; most texts have none, and a line may have millions of characters.
  if (!/[\ud800-\udbff]/.test(text.slice(at, at + 2 * column))) return Math.min(at + column - 1, text.length);
  for (let left = column - 1; left > 0 && at < text.length; left--)
    at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
  return at;
}

/** Bytes of a file that are shown. */
export const shownBytes = 65_536;

/** Returns the beginning of a file as text; bytes that are no text are shown as U+FFFD. */
export async function showHead(file: Blob): Promise<string> {
  const text = new TextDecoder().decode(await file.slice(0, shownBytes).arrayBuffer());
  return file.size > shownBytes ? `${text}…` : text;
}
