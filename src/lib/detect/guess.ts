import type { Kind } from "./kinds.ts";
import type { Sample } from "./sample.ts";

export interface Guess {
  readonly kind: Kind;
  /** From 0 to 1. Above 0.8 a parser accepted the input, or its form occurs nowhere else. */
  readonly confidence: number;
  /** A sentence. */
  readonly reason: string;
  /** The part of the sample's text that is of this kind, if it is not all of it. */
  readonly part?: { readonly index: number; readonly length: number };
  /** Options that the first tool of the kind needs. */
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** The bytes that a decoder returns for it. */
  readonly decoded?: Uint8Array;
  /** The number of bytes that it would make of a longer input, if it was not decoded to its end. */
  readonly decodedSize?: number;
}

export type Detector = (sample: Sample) => readonly Guess[] | Promise<readonly Guess[]>;

/** The share of items that satisfy a test, 0 of none. */
export const shareOf = <T>(items: readonly T[], is: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(is).length / items.length;

/** Whether `read` accepts an input: parsers report what they refuse by an exception. */
export function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Whether bytes are text that a person can read. */
export function isReadable(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString();
  // A character may be cut off at the end.
  const inner = bytes.length > 4096 ? text.slice(0, -2) : text;
  if (inner === "" || /[\ufffd\p{Co}\p{Cn}]|[^\P{Cc}\t\n\r]/u.test(inner.replaceAll("\u001b", "")))
    return false;
  const letters = inner.replaceAll(/[^\p{L}\p{N}\s]/gu, "").length;
  // JSON and markup are mostly punctuation.
  return letters >= inner.length / 3 || /^[[{<"][\p{ASCII}]*[\]}>"]\s*$/u.test(inner);
}
