/** Matches what only JSON5 allows in a string. It may match too much (`\\x`), never too little. */
// eslint-disable-next-line no-control-regex
export const beyondJson = /\\[^"\\/bfnrtu]|[\0-\x1f]/;
const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };

/** Returns the value of a scanned key: a string of any dialect with its quotes, or an identifier. */
export function decodeKey(bytes: Uint8Array, from: number, to: number): string {
  const quoted = bytes[from] === 0x22 || bytes[from] === 0x27;
  const raw = textOf(bytes, quoted ? from + 1 : from, quoted ? to - 1 : to);
  let next = raw.indexOf("\\");
  if (next < 0) return raw;
  // JSON.parse uses less time, and far less memory, for a key that is megabytes of escapes.
  if (bytes[from] === 0x22 && !beyondJson.test(raw)) return JSON.parse(`"${raw}"`) as string;
  let value = "";
  let at = 0;
  for (; next >= 0; next = raw.indexOf("\\", at)) {
    const length = escapeLength(raw, next);
    value += raw.slice(at, next) + decodeEscape(raw, next, length);
    at = next + length;
  }
  return value + raw.slice(at);
}

/** Returns the length of the escape whose backslash is at `at`. */
function escapeLength(raw: string, at: number): number {
  const letter = raw[at + 1];
  if (letter === "u") return 6;
  if (letter === "x") return 4;
  return letter === "\r" && raw[at + 2] === "\n" ? 3 : 2;
}

function decodeEscape(raw: string, at: number, length: number): string {
  const letter = raw[at + 1] as string;
  if (length > 3) return String.fromCharCode(Number.parseInt(raw.slice(at + 2, at + length), 16));
  // An escaped line break continues the line and adds nothing (JSON5, section 5.2).
  if (letter === "\n" || letter === "\r" || letter === "\u2028" || letter === "\u2029") return "";
  return escapes[letter] ?? letter;
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
}
