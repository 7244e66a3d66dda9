import { stripAccents } from "./strip-accents.ts";
import { findWords, splitWords } from "./words.ts";

export interface CaseOptions {
  /** A BCP 47 tag: in Turkish, the capital of i is İ. */
  locale: string;
  /** Whether Latin letters keep their accents in a case that splits the text into words; auto keeps them where the words are read by people. */
  accents: "auto" | "strip" | "keep";
  /** Whether title, sentence and the cases of plain words keep what is neither letter nor number. */
  punctuation: "keep" | "remove";
  /** Whether digits belong to the letters before them, or are words. */
  numbers: "attached" | "separate";
}

/** The case of each word, and the text that joins the words. */
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

/** Cases for people; the others are for identifiers. */
const proseCases: ReadonlySet<string> = new Set(["title", "sentence", "lower-words", "upper-words"]);

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
export function toCase(text: string, to: Case, options: CaseOptions): string {
  const { locale, accents, punctuation, numbers } = options;
  if (Object.hasOwn(letterCases, to)) return letterCases[to as keyof typeof letterCases](text, locale);
  const wordCase = wordCases[to as keyof typeof wordCases] as WordCase;
  const prose = proseCases.has(to);
  const strip = accents === "strip" || (accents === "auto" && !prose);
  const plain = strip ? stripAccents(text) : text.normalize("NFC");
  if (prose && punctuation === "keep") return toProse(plain, wordCase, options);
  return splitWords(plain, numbers)
    .map((word, index) => wordCase.write(word, index, locale))
    .join(wordCase.join);
}

/** Between two words of an identifier, or at its ends. */
const joint = /^[\s._/\\-]*$/;

/** Writes words in their places. What joins the parts of an identifier becomes a space; all else between words stays. */
function toProse(text: string, { write }: WordCase, { locale, numbers }: CaseOptions): string {
  const words = findWords(text, numbers);
  let result = "";
  let end = 0;
  for (const [at, word] of words.entries()) {
    const gap = text.slice(end, word.index);
    const outer = at === 0 ? "" : " ";
    result += joint.test(gap) ? outer : gap.replaceAll(/\s+/g, " ").replace(at === 0 ? /^ / : "", "");
    result += /['\u2019]/.test(word.text)
      ? writeApostrophes(word.text, at, write, locale)
      : write(word.text, at, locale);
    end = word.index + word.text.length;
  }
  const rest = text.slice(end);
  return result + (/^[\s_-]*$/.test(rest) ? "" : rest.trimEnd());
}

/** Writes O'Neill's, D'Arcy and L'Aquila with the capital after the apostrophe where the word is written with one. */
function writeApostrophes(word: string, index: number, write: WordCase["write"], locale: string): string {
  const written = write(word, index, locale);
  if (!/^[A-Z]['\u2019]/.test(written) || !/^[odl]['\u2019]\p{L}{3}/iu.test(word)) return written;
  return written.slice(0, 2) + mapFirst(written.slice(2), (one) => one.toLocaleUpperCase(locale));
}

function capitalize(text: string, locale: string): string {
  const [head = ""] = text;
  return head.toLocaleUpperCase(locale) + text.slice(head.length).toLocaleLowerCase(locale);
}

function mapFirst(text: string, change: (head: string) => string): string {
  const [head = ""] = text;
  return change(head) + text.slice(head.length);
}
