import { refuse, type Source } from "./source.ts";
import { codePointAt, sequenceLength } from "./utf8.ts";

/** Skips white space, and comments in the dialects that have them. */
export function skipSpace(source: Source, from: number): number {
  const { bytes, dialect } = source;
  let at = from;
  while (true) {
    const byte = bytes[at];
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) at++;
    else if (dialect === "json" || byte === undefined) return at;
    else if (byte === 0x2f && bytes[at + 1] === 0x2f) at = endOfLine(source, at + 2);
    else if (byte === 0x2f && bytes[at + 1] === 0x2a) {
      at = endOfBlock(source, at + 2);
      if (at < 0) return at;
    } else if (dialect === "json5" && isJson5Space(bytes, at)) at += sequenceLength(bytes, at);
    else return at;
  }
}

function endOfLine({ bytes, dialect }: Source, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) {
    if (dialect === "json5" && isLineSeparator(bytes, at)) break;
    at++;
  }
  return at;
}

function endOfBlock(source: Source, from: number): number {
  const { bytes } = source;
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x2a && bytes[at + 1] === 0x2f) return at + 2;
  }
  return refuse(source, bytes.length, "", "'*/' at the end of the comment");
}

/** Reports whether U+2028 or U+2029 is at `at`. */
export function isLineSeparator(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && ((bytes[at + 2] as number) & 0xfe) === 0xa8;
}

function isJson5Space(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] as number;
  if (byte < 0x80) return byte === 0x0b || byte === 0x0c;
  const point = codePointAt(bytes, at);
  return (
    point === 0xfeff ||
    isLineSeparator(bytes, at) ||
    (point > 0 && /^\p{Zs}$/u.test(String.fromCodePoint(point)))
  );
}
