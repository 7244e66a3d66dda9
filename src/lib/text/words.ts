import { DocumentFault } from "../fault.ts";

/**
 * Splits an identifier, a file name or a sentence into words. A word ends where lower case turns to upper
 * case (fooBar), where a run of capitals turns to a word (XMLHttp), at a number and at any character that is
 * neither letter, number nor emoji. Ordinal numbers (1st, 22nd) are one word; apostrophes are removed.
 * @throws DocumentFault if a word has more letters than the regular expression can match.
 */
export function splitWords(text: string): string[] {
  const plain = text.replaceAll(/(?<=\p{L})['\u2019](?=\p{L})/gu, "");
  try {
    return plain.match(word) ?? [];
  } catch (error) {
    // V8 pushes every letter of a word on a stack of a fixed size.
    if (!(error instanceof RangeError)) throw error;
    throw new DocumentFault(
      "A word of this text has millions of letters. Split it, or use a case without words.",
      { index: 0 },
    );
  }
}

const upper = String.raw`[\p{Lu}\p{Lt}]\p{M}*`;
const lower = String.raw`\p{Ll}\p{M}*`;

const word = new RegExp(
  [
    // English ordinals end in th from 11 to 13.
    String.raw`\d{0,30}(?:1[123]th|1st|2nd|3rd|[04-9]th|1[123]TH|1ST|2ND|3RD|[04-9]TH)(?!\p{Ll})(?!\d)`,
    `(?:${upper})+(?!${lower})`,
    `(?:${upper})?(?:${lower})+`,
    // A letter of a script without cases, and its marks.
    String.raw`[\p{Lo}\p{Lm}\p{M}]+`,
    String.raw`\p{N}+`,
    String.raw`\p{RGI_Emoji}`,
  ].join("|"),
  "gv",
);
