import { DocumentFault } from "../fault.ts";
import { countPoints } from "./count-points.ts";
import { requireWellFormed } from "./well-formed.ts";

/** Different words, characters or lines that are counted; a table has at most 2^24 entries. */
const maxDifferent = 10_000_000;

export interface StatisticsOptions {
  /** The kind of item whose most frequent ones are listed. */
  unit: "word" | "character" | "line";
  /** The number of most frequent items to list. */
  frequent: number;
  ignoreCase: boolean;
  /** BCP 47; the language whose rules divide text into words and sentences. */
  locale: string | undefined;
}

/** Sizes are in bytes of UTF-8 and in code points, entropy is in bits. */
export interface Statistics {
  bytes: number;
  codePoints: number;
  graphemes: number;
  words: number;
  /** As `wc -w` counts: runs of anything but white space. */
  wordsBySpace: number;
  sentences: number;
  /** The text after the last line break counts too, unless it is empty. */
  lines: number;
  blankLines: number;
  lineBreaks: { lf: number; crlf: number; cr: number };
  /** The first of the longest lines, from 1; 0 in an empty text. */
  longestLine: { line: number; codePoints: number };
  characters: { letters: number; digits: number; spaces: number; punctuation: number; other: number };
  /** Shannon entropy of the bytes: 0 for one byte repeated, 8 for random bytes. */
  entropyPerByte: number;
  frequent: { text: string; count: number }[];
}

/**
 * Counts the parts of a text. Graphemes, words and sentences are those of Unicode (UAX #29).
 * @throws DocumentFault for a lone surrogate, and for more than ten million different words.
 */
export function countText(text: string, options: StatisticsOptions): Statistics {
  requireWellFormed(text);
  const bytes = Buffer.from(text);
  const { lines, ...breaks } = countLines(text);
  const tally = createTally(options);
  const count = (granularity: "grapheme" | "word" | "sentence"): number => {
    let total = 0;
    for (const { segment, isWordLike } of new Intl.Segmenter(options.locale, { granularity }).segment(text)) {
      if (isWordLike === false) continue;
      total++;
      if (granularity === options.unit || (granularity === "grapheme" && options.unit === "character"))
        tally.add(segment);
    }
    return total;
  };
  const [graphemes, words, sentences] = [count("grapheme"), count("word"), count("sentence")];
  if (options.unit === "line") for (const line of text.split(/\r\n?|\n/)) if (line !== "") tally.add(line);
  const characters = countKinds(text);
  return {
    bytes: bytes.length,
    codePoints: characters.total,
    graphemes,
    words,
    wordsBySpace: countMatches(text, /\S+/gu),
    sentences,
    lines,
    ...breaks,
    characters: characters.kinds,
    entropyPerByte: entropyOf(bytes),
    frequent: tally.most(options.frequent),
  };
}

function countLines(text: string): Pick<Statistics, "lines" | "blankLines" | "lineBreaks" | "longestLine"> {
  const lineBreaks = { lf: 0, crlf: 0, cr: 0 };
  const longestLine = { line: 0, codePoints: 0 };
  let [lines, blankLines, from] = [0, 0, 0];
  const take = (to: number): void => {
    const line = text.slice(from, to);
    lines++;
    if (line.trim() === "") blankLines++;
    const codePoints = countPoints(line);
    if (lines === 1 || codePoints > longestLine.codePoints)
      Object.assign(longestLine, { line: lines, codePoints });
  };
  for (const { 0: found, index } of text.matchAll(/\r\n?|\n/g)) {
    take(index);
    lineBreaks[found === "\n" ? "lf" : found === "\r" ? "cr" : "crlf"]++;
    from = index + found.length;
  }
  if (from < text.length) take(text.length);
  return { lines, blankLines, lineBreaks, longestLine };
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  for (pattern.lastIndex = 0; pattern.test(text);) count++;
  return count;
}

function countKinds(text: string): { total: number; kinds: Statistics["characters"] } {
  const kinds = { letters: 0, digits: 0, spaces: 0, punctuation: 0, other: 0 };
  const known = new Map<string, keyof typeof kinds>();
  let total = 0;
  for (const character of text) {
    let kind = known.get(character);
    if (kind === undefined) known.set(character, (kind = kindOf(character)));
    kinds[kind]++;
    total++;
  }
  return { total, kinds };
}

function kindOf(character: string): keyof Statistics["characters"] {
  if (/\p{L}/u.test(character)) return "letters";
  if (/\p{Nd}/u.test(character)) return "digits";
  if (/\s/u.test(character)) return "spaces";
  return /\p{P}/u.test(character) ? "punctuation" : "other";
}

function entropyOf(bytes: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / bytes.length) * Math.log2(count / bytes.length);
  // Six digits; -0 for one byte repeated is 0.
  return Math.round(bits * 1e6) / 1e6 + 0;
}

/** Counts equal texts. */
function createTally({ ignoreCase, frequent }: StatisticsOptions): {
  add(text: string): void;
  most(count: number): Statistics["frequent"];
} {
  const counts = new Map<string, number>();
  return {
    add(text) {
      if (frequent === 0) return;
      const key = ignoreCase ? text.toLowerCase() : text;
      const count = counts.get(key) ?? 0;
      if (count === 0 && counts.size >= maxDifferent) {
        const message = `There are more than ${maxDifferent} different texts to count; set frequent to 0.`;
        throw new DocumentFault(message, {}, "too-many", maxDifferent);
      }
      counts.set(key, count + 1);
    },
    // The first of two that are equally frequent is that which occurs first.
    most: (count) =>
      Array.from(counts, ([text, times]) => ({ text, count: times }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, count),
  };
}
