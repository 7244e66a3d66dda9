import { isHexDigit, refuse, refuseUnexpected, type Source } from "./source.ts";
import { codePointAt, sequenceLength } from "./utf8.ts";

/** Words of other languages, and what JSON writes instead. */
const foreign = new Map([
  ["NaN", "NaN is not JSON; use null, or a string."],
  ["Infinity", "Infinity is not JSON; use null, or a string."],
  ["undefined", "undefined is not JSON; use null, or leave the member out."],
  ["None", "None is not JSON; write null."],
  ["nil", "nil is not JSON; write null."],
  ["NULL", "NULL is not JSON; write null in lower case."],
  ["Null", "Null is not JSON; write null in lower case."],
  ["True", "True is not JSON; write true in lower case."],
  ["TRUE", "TRUE is not JSON; write true in lower case."],
  ["False", "False is not JSON; write false in lower case."],
  ["FALSE", "FALSE is not JSON; write false in lower case."],
]);

/** Scans a value that starts with a letter: `true`, `false`, `null`, and in JSON5 `NaN` and `Infinity`. */
export function scanWord(source: Source, from: number): number {
  const { bytes, dialect } = source;
  const literalEnd = endOfLiteral(bytes, from);
  if (literalEnd > 0) return literalEnd;
  let at = from;
  // No literal has more than 8 letters; the limit keeps the message short.
  while (at < from + 10 && isWordByte(bytes[at])) at++;
  const word = String.fromCharCode(...bytes.subarray(from, at));
  if (dialect === "json5" && (word === "NaN" || word === "Infinity")) return at;
  const literal = ["true", "false", "null"].find((name) => name.startsWith(word));
  if (literal && at === bytes.length) return refuse(source, at, "", `the rest of ${literal}`);
  return refuse(
    source,
    from,
    foreign.get(word) ?? "Unquoted text is not a value; put strings in double quotes.",
    "a value",
  );
}

/** Returns the offset after `true`, `false` or `null`, or 0. */
function endOfLiteral(bytes: Uint8Array, at: number): number {
  const literal =
    bytes[at] === 0x74 ? "true" : bytes[at] === 0x66 ? "false" : bytes[at] === 0x6e ? "null" : "";
  for (let index = 1; index < literal.length; index++) {
    if (bytes[at + index] !== literal.charCodeAt(index)) return 0;
  }
  return literal === "" || isWordByte(bytes[at + literal.length]) ? 0 : at + literal.length;
}

/** Scans an unquoted key of JSON5: an ECMAScript IdentifierName. */
export function scanIdentifier(source: Source, from: number): number {
  const { bytes } = source;
  let at = from;
  while (at < bytes.length) {
    let point = codePointAt(bytes, at);
    let end = at + sequenceLength(bytes, at);
    if (point === 0x5c) {
      if (bytes[at + 1] !== 0x75) return refuseUnexpected(source, at + 1, "'u' in the escape of a key");
      end = at + 6;
      for (let digit = at + 2; digit < end; digit++) {
        if (!isHexDigit(bytes[digit]))
          return refuseUnexpected(source, digit, "4 hexadecimal digits in the escape");
      }
      point = Number.parseInt(String.fromCharCode(...bytes.subarray(at + 2, end)), 16);
      if (!isIdentifierPart(point, at === from)) {
        return refuse(
          source,
          at,
          "This escape is a character that an unquoted key cannot contain; quote the key.",
        );
      }
    } else if (!isIdentifierPart(point, at === from)) break;
    at = end;
  }
  return at > from ? at : refuseUnexpected(source, at, "a key");
}

function isIdentifierPart(point: number, first: boolean): boolean {
  if (point < 0) return false;
  const character = String.fromCodePoint(point);
  return first ? /^[\p{ID_Start}$_]$/u.test(character) : /^[\p{ID_Continue}$\u200c\u200d]$/u.test(character);
}

function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) || byte === 0x5f;
}
