import { codePointAt } from "./utf8.ts";
import type { JsonRule } from "./problem.ts";

/** `jsonc`: comments and trailing commas. `json5`: https://spec.json5.org. */
export type JsonDialect = "json" | "jsonc" | "json5";

/** The input of the scan functions. Each returns the offset after what it read, or -1 with `refusal` set. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly dialect: JsonDialect;
  refusal: Refusal | undefined;
}

export interface Refusal {
  rule: JsonRule;
  message: string;
  offset: number;
  expected?: string;
}

/** Sets the refusal and returns -1. At the end of the document every refusal becomes a truncation. */
export function refuse(source: Source, offset: number, message: string, expected?: string): -1 {
  const atEnd = offset >= source.bytes.length;
  source.refusal = {
    rule: atEnd ? "truncated" : "syntax",
    message: atEnd ? `The document ends too early${expected ? `; expected ${expected}` : ""}.` : message,
    offset,
    ...(expected && { expected }),
  };
  return -1;
}

export function refuseUnexpected(source: Source, at: number, expected: string, advice = ""): -1 {
  const found = describeAt(source.bytes, at);
  return refuse(source, at, `Expected ${expected}; found ${found}.${advice && ` ${advice}`}`, expected);
}

/** Describes one code point, safe to print: a document must not control a terminal or a log. */
export function describeAt(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return "the end of the document";
  const point = codePointAt(bytes, at);
  if (point < 0) return "a byte that is not UTF-8";
  const character = String.fromCodePoint(point);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return point === 0x27 ? `"'"` : `'${character}'`;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
