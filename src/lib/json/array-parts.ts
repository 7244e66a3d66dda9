/**
 * Returns the index of the last comma between items of an array, after an item; 0 if there is none. The text begins with an item or, at the
 * beginning of the document, before the array. -1 if that is no array. In a text with a fault, a comma behind the fault may be found.
 */
export function endOfItems(text: Uint8Array, isBeginning: boolean): number {
  let at = isBeginning ? countSpace(text) : 0;
  if (isBeginning && at === text.length) return 0;
  if (isBeginning && text[at++] !== bracket) return -1;
  let depth = 1;
  let end = 0;
  let hasItem = false;
  for (; at < text.length && depth > 0; at++) {
    const byte = text[at] as number;
    if (byte === comma) {
      if (depth === 1 && hasItem) {
        end = at;
        hasItem = false;
      }
    } else if (!isSpace(byte)) {
      hasItem = true;
      if (byte === quote) at = endOfString(text, at);
      // [ and {, ] and } differ in one bit that stands for nothing here.
      else if ((byte | 0x20) === 0x7b) depth++;
      else if ((byte | 0x20) === 0x7d) depth--;
    }
  }
  return end;
}

const [quote, backslash, comma, bracket] = [0x22, 0x5c, 0x2c, 0x5b];

const isSpace = (byte = 0): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Counts the bytes of a byte order mark and of white space at the beginning. */
function countSpace(text: Uint8Array): number {
  let at = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
  while (isSpace(text[at])) at++;
  return at;
}

/** Returns the index of the closing quote of a string, or the end of the text. */
function endOfString(text: Uint8Array, from: number): number {
  for (let at = text.indexOf(quote, from + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let first = at;
    while (text[first - 1] === backslash) first--;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}
