import type { TextFinding } from "../bounded-findings.ts";

/** Alphabets with letters that look like those of another. */
const alphabets = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
} as const;

/** Cyrillic and Greek letters that look like Latin ones (Unicode TS 39, intentional look-alikes). */
const looksLatin = /[АВЕЅІЈКМНОРСТУХабвгеѕіјкорсухһԁԛԝьΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχικ]/u;

/** Latin letters that look like Cyrillic or Greek ones. */
const looksForeign = /[ABCEHIJKMNOPSTUXYZaceiIjkopsuvxy]/u;

/** V8 pushes every letter on a stack of a fixed size, so longer words are read in parts. */
const words = /[\p{L}\p{M}\p{N}_]{1,100000}/gu;

/**
 * Finds words with letters of two alphabets: an error if one of the letters looks like a Latin one, otherwise
 * a warning. Words of one alphabet, and Japanese and Korean mixed with Latin, are correct.
 */
export function findMixedScripts(text: string, allowed: ReadonlySet<string>, limit: number): TextFinding[] {
  const found: TextFinding[] = [];
  // Words of Latin and one other alphabet, without letters that belong to neither.
  if (!/[^\0-\u024f]/.test(text)) return found;
  for (const { 0: word, index } of text.matchAll(words)) {
    const used = Object.entries(alphabets).filter(([, pattern]) => pattern.test(word));
    if (used.length < 2) continue;
    const names = used.map(([name]) => name).join(" and ");
    const hidden = findHidden(word);
    const at = hidden?.index ?? 0;
    const point = toNumber(word, at);
    if (allowed.has(point)) continue;
    const message = hidden === null ? "." : `; ${point} only looks like the others.`;
    found.push({
      rule: "mixed-script",
      severity: hidden === null ? "warning" : "error",
      message: `One word has letters of ${names}${message}`,
      index: index + at,
    });
    if (found.length === limit) break;
  }
  return found;
}

/** Returns the first letter that looks like one of the word's main alphabet. */
function findHidden(word: string): RegExpExecArray | null {
  const latin = word.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const others = word.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu)?.length ?? 0;
  return latin < others ? looksForeign.exec(word) : looksLatin.exec(word);
}

const toNumber = (word: string, at: number): string =>
  `U+${(word.codePointAt(at) as number).toString(16).toUpperCase().padStart(4, "0")}`;
