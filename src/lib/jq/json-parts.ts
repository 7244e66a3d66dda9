import type { JqValue } from "./value.ts";

/** Powers of ten that a number of at most fifteen digits is divided by. */
export const powers: readonly number[] = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** What the letter of an escape stands for. */
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

/** Spells a number that jq reads in the grammar of JSON: `007` as 7, `.5` as 0.5, `1.` as 1. */
export const respell = (written: string): string =>
  written
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?=$|[eE])/, "");

export const isNumberUnit = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || unit === 0x2e || unit === 0x2b || unit === 0x2d;

export const isWordUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
