import { stripAccents } from "./strip-accents.ts";
import { splitWords } from "./words.ts";

export interface CaseOptions {
  /** A BCP 47 tag: in Turkish, the capital of i is İ. */
  locale: string;
  /** Whether Latin letters keep their accents if a text is split into words. */
  accents: "strip" | "keep";
}

/** How each word is written, and what joins the words. */
interface WordCase {
  join: string;
  write(word: string, index: number, locale: string): string;
}

const lower = (word: string, _: number, locale: string): string => word.toLocaleLowerCase(locale);
const upper = (word: string, _: number, locale: string): string => word.toLocaleUpperCase(locale);
const capital = (word: string, _: number, locale: string): string => capitalize(word, locale);
const first = (word: string, index: number, locale: string): string =>
  index === 0 ? capitalize(word, locale) : word.toLocaleLowerCase(locale);
const allButFirst = (word: string, index: number, locale: string): string =>
  index === 0 ? word.toLocaleLowerCase(locale) : capitalize(word, locale);

const wordCases = {
  camel: { join: "", write: allButFirst },
  pascal: { join: "", write: capital },
  snake: { join: "_", write: lower },
  kebab: { join: "-", write: lower },
  constant: { join: "_", write: upper },
  dot: { join: ".", write: lower },
  path: { join: "/", write: lower },
  title: { join: " ", write: capital },
  sentence: { join: " ", write: first },
  "lower-words": { join: " ", write: lower },
  "upper-words": { join: " ", write: upper },
} as const satisfies Record<string, WordCase>;

/** Cases that change letters and keep everything between them. */
const letterCases = {
  lower: (text: string, locale: string) => text.toLocaleLowerCase(locale),
  upper: (text: string, locale: string) => text.toLocaleUpperCase(locale),
  capitalize,
  "lower-first": (text: string, locale: string) => mapFirst(text, (one) => one.toLocaleLowerCase(locale)),
  "upper-first": (text: string, locale: string) => mapFirst(text, (one) => one.toLocaleUpperCase(locale)),
} as const;

export type Case = keyof typeof wordCases | keyof typeof letterCases;

export const cases = [...Object.keys(wordCases), ...Object.keys(letterCases)] as [Case, ...Case[]];

/**
 * Writes a text in another case.
 * @throws RangeError if the locale is invalid.
 */
export function toCase(text: string, to: Case, { locale, accents }: CaseOptions): string {
  if (Object.hasOwn(letterCases, to)) return letterCases[to as keyof typeof letterCases](text, locale);
  const { join, write } = wordCases[to as keyof typeof wordCases] as WordCase;
  const plain = accents === "strip" ? stripAccents(text) : text.normalize("NFC");
  return splitWords(plain)
    .map((word, index) => write(word, index, locale))
    .join(join);
}

function capitalize(text: string, locale: string): string {
  const [head = ""] = text;
  return head.toLocaleUpperCase(locale) + text.slice(head.length).toLocaleLowerCase(locale);
}

function mapFirst(text: string, change: (head: string) => string): string {
  const [head = ""] = text;
  return change(head) + text.slice(head.length);
}
