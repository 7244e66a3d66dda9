/** Characters that are written at a time. */
const pieceUnits = 1024 * 1024;

/**
 * Returns `JSON.stringify({ result: text })`; of a long text as UTF-8, written piece by piece, so that the escaped text
 * is never there as a string besides.
 */
export function toJsonAnswer(text: string): string | Uint8Array {
  if (text.length <= pieceUnits) return JSON.stringify({ result: text });
  const pieces = [Buffer.from('{"result":"')];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + pieceUnits, text.length);
    // Halves of a surrogate pair would be escaped each by itself.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    pieces.push(Buffer.from(JSON.stringify(text.slice(at, end)).slice(1, -1)));
    at = end;
  }
  pieces.push(Buffer.from('"}'));
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const piece of pieces) {
    bytes.set(piece, to);
    to += piece.length;
    // Freed now: the collector would come after all of the answer was there twice.
    if (piece.length >= pieceUnits) piece.buffer.transfer(0);
  }
  return bytes;
}
