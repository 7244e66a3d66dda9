import type { JqValue } from "./value.ts";

/** A text is not JSON. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  /** In UTF-16 code units from the start of the text. */
  readonly index: number;
  /** Whether the text ends within a value, so that more of it could be one. */
  readonly unfinished: boolean;

  constructor(message: string, index: number, unfinished = false) {
    super(message);
    this.index = index;
    this.unfinished = unfinished;
  }
}

/** Reads the values of a text one after another. They may follow each other without a separator, as in jq. */
export interface JsonReader {
  /** Offset of what is not read yet. */
  readonly at: number;
  /**
   * Returns undefined at the end of the text. @throws JsonTextError; after one that is unfinished, the reader continues within the value
   * when it is fed.
   */
  next(): JqValue | undefined;
  /** Continues with a text that begins with what is not read yet. @param more Whether more may follow it */
  feed(text: string, more: boolean): void;
}

/** Powers of ten that a number of at most fifteen digits is divided by. */
export const powers: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** The character that the letter of an escape stands for. */
export const escapes: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Words that jq reads as values. */
export const words: ReadonlyMap<string, JqValue> = new Map<string, JqValue>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["nan", Number.NaN],
  ["NaN", Number.NaN],
  ["-nan", Number.NaN],
  ["-NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

/** The message of jq for a word that is no value. */
export const literalFault = (word: string, atEnd: boolean): string => {
  const kind = /^(?:[tfn]|nan)/.test(word) && !/^nan/i.test(word) ? "literal" : "numeric literal";
  return `Invalid ${kind}${atEnd ? " at EOF" : ""}`;
};

/**
 * Spells a number that jq reads in the grammar of JSON: `007` as 7, `.5` as 0.5, `1.` as 1, `+1` as 1. Returns undefined for another
 * text. A pattern with repetitions takes stack for each digit in a process that has compiled many patterns.
 */
export function spellNumber(text: string): string | undefined {
  const sign = text[0] === "-" ? "-" : "";
  const from = sign !== "" || text[0] === "+" ? 1 : 0;
  const point = skipDigits(text, from);
  const end = text[point] === "." ? skipDigits(text, point + 1) : point;
  const fraction = text.slice(point + 1, end);
  if (point === from && fraction === "") return undefined;
  if (end < text.length) {
    if (text[end] !== "e" && text[end] !== "E") return undefined;
    const digits = text[end + 1] === "-" || text[end + 1] === "+" ? end + 2 : end + 1;
    if (digits >= text.length || skipDigits(text, digits) < text.length) return undefined;
  }
  let first = from;
  while (first < point - 1 && text[first] === "0") first++;
  return `${sign}${text.slice(first, point) || "0"}${fraction && `.${fraction}`}${text.slice(end)}`;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = text.charCodeAt(at)) at++;
  return at;
}

export const isNumberUnit = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || unit === 0x2e || unit === 0x2b || unit === 0x2d;

export const isWordUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);

/** Returns the offset after a byte order mark. */
export const beginOf = (text: string): number => (text.charCodeAt(0) === 0xfeff ? 1 : 0);
