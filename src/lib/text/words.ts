import { DocumentFault } from "../fault.ts";

/** A word of a text, with the index where it begins, in UTF-16 code units. */
export interface Word {
  text: string;
  index: number;
}

/**
 * Splits an identifier, a file name or a sentence into words. A word ends where lower case turns to upper
 * case (fooBar), where a run of capitals turns to a word (XMLHttp), and at any character that is neither letter, number nor emoji; names that
 * are written in their own way (IPv4, JAMstack) are one word. Ordinal numbers (1st, 22nd) are one word. An apostrophe between letters is a
 * part of the word.
 * @param numbers "attached": digits belong to the letters before them (sha256Hash is sha256 and Hash); "separate": they are words.
 * @throws DocumentFault if a word has more letters than the regular expression can match.
 */
export function findWords(text: string, numbers: "attached" | "separate" = "separate"): Word[] {
  try {
    return Array.from(text.matchAll(patterns[numbers]), ({ 0: found, index }) => ({ text: found, index }));
  } catch (error) {
    // V8 pushes every letter of a word on a stack of a fixed size.
    if (!(error instanceof RangeError)) throw error;
    throw new DocumentFault(
      "A word of this text has millions of letters. Split it, or use a case without words.",
      { index: 0 },
    );
  }
}

/** Splits a text into words without apostrophes. @throws DocumentFault as `findWords` does. */
export const splitWords = (text: string, numbers: "attached" | "separate" = "separate"): string[] =>
  findWords(text, numbers).map((word) => word.text.replaceAll(/['\u2019]/g, ""));

const upper = String.raw`[\p{Lu}\p{Lt}]\p{M}*`;
const lower = String.raw`\p{Ll}\p{M}*`;
/** English ordinals; they end in th from 11 to 13. */
const ordinal = String.raw`\d{0,30}(?:1[123]th|1st|2nd|3rd|[04-9]th|1[123]TH|1ST|2ND|3RD|[04-9]TH)(?!\p{Ll})(?!\d)`;
/** Names whose capitals do not begin words. */
const names = String.raw`(?:IPv[46]|OAuth|JAMstack|GraphQL|MySQL|PostgreSQL|NoSQL|LaTeX|macOS|iOS|iPad|iPhone|eBay)(?!\p{Ll})`;
const apostrophe = String.raw`(?:(?<=\p{L})['\u2019](?=\p{L}))`;
/** Both begin with a letter: an apostrophe alone is no word. */
const capitals = `(?:${upper})(?:(?:${upper})|${apostrophe})*`;
const small = `(?:(?:${upper})(?:(?:${lower})|${apostrophe})|${lower})(?:(?:${lower})|${apostrophe})*`;
/** A letter of a script without cases, and its marks. */
const caseless = String.raw`[\p{Lo}\p{Lm}\p{M}]+`;
const emoji = String.raw`\p{RGI_Emoji}`;

const patterns = {
  separate: new RegExp(
    [ordinal, names, `${capitals}(?!${lower})`, small, caseless, String.raw`\p{N}+`, emoji].join("|"),
    "gv",
  ),
  attached: new RegExp(
    [
      ordinal,
      String.raw`${names}\d*`,
      // E2E, B2B, HTML5, SHA256; the last capital before a small letter begins the next word.
      String.raw`${capitals}(?!${lower})(?:\p{N}+(?:(?:${upper})+(?!${lower}))?)*`,
      // sha256sum
      String.raw`${small}(?:\p{N}+(?:${lower})*)*`,
      caseless,
      // 6h, 3D; but the H of 5Hello begins a word.
      String.raw`\p{N}+(?:(?:(?:${upper})+(?!${lower}))|(?:${lower})+)?`,
      emoji,
    ].join("|"),
    "gv",
  ),
};
