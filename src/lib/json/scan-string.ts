import { isLineSeparator } from "./scan-space.ts";
import { describeAt, isDigit, isHexDigit, refuse, refuseUnexpected, type Source } from "./source.ts";
import { sequenceLength } from "./utf8.ts";

/** Scans the string whose opening quote is at `from`. */
export function scanString(source: Source, from: number): number {
  const { bytes, dialect } = source;
  const quote = bytes[from];
  let at = from + 1;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    if (byte === 0x5c) {
      at = scanEscape(source, at);
      if (at < 0) return at;
    } else if (byte < 0x20 && (dialect !== "json5" || byte === 0x0a || byte === 0x0d)) {
      return refuseControl(source, at);
    } else at++;
  }
  return refuse(
    source,
    bytes.length,
    "",
    quote === 0x22 ? `'"' at the end of the string` : `"'" at the end of the string`,
  );
}

const names: Record<number, string> = {
  0x08: "\\b",
  0x09: "\\t",
  0x0a: "\\n",
  0x0c: "\\f",
  0x0d: "\\r",
};

function refuseControl(source: Source, at: number): -1 {
  const byte = source.bytes[at] as number;
  const escape = names[byte] ?? `\\u${byte.toString(16).padStart(4, "0")}`;
  const what =
    byte === 0x0a || byte === 0x0d ? "A line break" : `The control character ${describeAt(source.bytes, at)}`;
  const hint = byte === 0x0a || byte === 0x0d ? ", or close the string before it" : "";
  return refuse(source, at, `${what} is not allowed in a string; write it as ${escape}${hint}.`);
}

/** Scans the escape whose backslash is at `at`. */
function scanEscape(source: Source, at: number): number {
  const { bytes, dialect } = source;
  const byte = bytes[at + 1];
  if (byte === undefined) return refuse(source, bytes.length, "", "the rest of the escape");
  if (byte === 0x75) return scanHex(source, at + 2, 4);
  if (dialect !== "json5") {
    if (`"\\/bfnrt`.includes(String.fromCharCode(byte))) return at + 2;
    return refuse(
      source,
      at,
      `\\ followed by ${describeAt(bytes, at + 1)} is not an escape; use one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, and \\\\ for a backslash itself.`,
    );
  }
  if (byte === 0x78) return scanHex(source, at + 2, 2);
  if (byte === 0x30 ? isDigit(bytes[at + 2]) : isDigit(byte)) {
    return refuse(source, at, "Octal escapes are not part of JSON5; use \\xXX or \\uXXXX.");
  }
  if (byte === 0x0d && bytes[at + 2] === 0x0a) return at + 3;
  return at + 1 + (isLineSeparator(bytes, at + 1) ? 3 : Math.max(1, sequenceLength(bytes, at + 1)));
}

function scanHex(source: Source, from: number, count: number): number {
  for (let at = from; at < from + count; at++) {
    if (!isHexDigit(source.bytes[at]))
      return refuseUnexpected(source, at, `${count} hexadecimal digits in the escape`);
  }
  return from + count;
}
