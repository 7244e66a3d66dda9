import { distanceOf } from "../lib/nearest.ts";
import { related } from "./related.ts";
import { pairsOf, wordsOf } from "./search-words.ts";

/** The properties of a tool that the search reads. */
export interface Searchable {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly accepts?: string;
  /** Separated by commas. */
  readonly aliases?: string;
}

/** Most characters of a query. */
export const maxQuery = 200;
/** Words of a query that count; the rest of a longer one does not. */
const maxWords = 16;

/** Weight of a word by where a tool has it. */
const weights = { slug: 6, title: 5, aliases: 4, accepts: 2, summary: 2, values: 1 } as const;
/** Weight of a query that is an alias, or contains all words of one, before the weight of its words. */
const wholeAlias = 12;
const partAlias = 2;
/** Weight of a word that is only similar. */
const similar = 0.5;
const beginning = 0.6;

/** Letters of a word that may be misspelt. Most words of four letters are one letter from another: idna and iana, bson and json. */
const misspelt = 5;

export interface Found<T> {
  tool: T;
  /** Whether the query is its name, or an alias of it. */
  isName: boolean;
  /** Whether no word of the query is one of its words: it is only the nearest. */
  isNear: boolean;
}

/** Finds tools by what people call them; the best first. */
export type Search<T> = (query: string) => Found<T>[];

const searches = new WeakMap<readonly Searchable[], Search<never>>();

/**
 * Returns the search of a list of tools, made by the first call for that list. The pages of the browser use it too.
 * @param valuesOf Returns the values of a tool's options, whose words are found as well.
 */
export function searchOf<T extends Searchable>(
  tools: readonly T[],
  valuesOf: (tool: T) => readonly string[] = () => [],
): Search<T> {
  const known = searches.get(tools);
  if (known !== undefined) return known as unknown as Search<T>;
  const search = createSearch(tools, valuesOf);
  searches.set(tools, search as unknown as Search<never>);
  return search;
}

interface Entry<T> {
  tool: T;
  /** The weight of each word. */
  words: Map<string, number>;
  /** The words of each name: the slug, the title and the aliases. */
  names: string[][];
}

function createSearch<T extends Searchable>(
  tools: readonly T[],
  valuesOf: (tool: T) => readonly string[],
): Search<T> {
  const entries = tools.map((tool) => toEntry(tool, valuesOf(tool)));
  const counts = new Map<string, number>();
  for (const { words } of entries)
    for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  /** Rare words tell more. */
  const rarity = (word: string): number => Math.log(1 + tools.length / (counts.get(word) ?? tools.length));

  /**
   * Returns the known words that a word of a query stands for, with how much each counts.
   * @param shortest Letters of a word that may be misspelt.
   */
  function readingsOf(word: string, shortest: number): [word: string, share: number][] {
    if (counts.has(word)) return [[word, 1]];
    const found: [string, number][] = [];
    for (const known of counts.keys()) {
      if (word.length >= 3 && known.startsWith(word)) found.push([known, beginning]);
      else if (known.length >= 4 && isEnding(word, known)) found.push([known, beginning]);
    }
    if (found.length > 0 || word.length < shortest) return found;
    const most = word.length < 8 ? 1 : 2;
    for (const known of counts.keys()) {
      if (known.length < Math.min(shortest, 4) || Math.abs(known.length - word.length) > most) continue;
      if (distanceOf(word, known) <= most) found.push([known, similar]);
    }
    return found;
  }

  function scoreOf(
    { words, names }: Entry<T>,
    asked: readonly string[],
    readings: readonly [string, number][][],
  ): { score: number; isName: boolean; isNear: boolean } {
    let score = 0;
    let isNear = true;
    for (const reading of readings) {
      let best = 0;
      for (const [word, share] of reading) {
        best = Math.max(best, share * rarity(word) * (words.get(word) ?? 0));
        if (share === 1 && words.has(word)) isNear = false;
      }
      score += best;
    }
    let bonus = 0;
    let isName = false;
    for (const [order, name] of names.entries()) {
      if (!name.every((word) => asked.includes(word))) continue;
      const isWhole = name.length === asked.length;
      isName ||= isWhole;
      // The names of a tool are in order of use.
      const weight = (isWhole ? wholeAlias : partAlias) * (1 - order / 1000);
      bonus = Math.max(bonus, weight * name.reduce((sum, word) => sum + rarity(word), 0));
    }
    return { score: score + bonus, isName, isNear };
  }

  function rank(asked: readonly string[], shortest: number): Found<T>[] {
    const readings = asked.map((word) => readingsOf(word, shortest));
    return entries
      .map((entry) => ({ tool: entry.tool, ...scoreOf(entry, asked, readings) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  }

  function relatedTo(asked: readonly string[]): Found<T>[] {
    const slugs = new Set(asked.flatMap((word) => related.get(word) ?? []));
    return [...slugs].flatMap((slug) => {
      const tool = tools.find((one) => one.slug === slug);
      return tool === undefined ? [] : [{ tool, isName: false, isNear: true }];
    });
  }

  return (query) => {
    const asked = toWords(query.slice(0, maxQuery)).slice(0, maxWords);
    const found = rank(asked, misspelt);
    if (found.some(({ isNear }) => !isNear)) return found;
    // The purpose of a tool says more than a similar spelling of its name.
    const near = relatedTo(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    if (near.length > 0) return near;
    return found.length > 0 ? found : rank(asked, misspelt - 1);
  };
}

/** Whether a word is a known one with an ending: base58 is not a kind of base, and a dockerfile not a docker. */
const isEnding = (word: string, known: string): boolean =>
  word.startsWith(known) && word.length - known.length <= 3 && /^\p{L}+$/u.test(word.slice(known.length));

/** Words of a text, and its conversions: "json to yaml" is more than its words. */
function toWords(text: string): string[] {
  const words = wordsOf(text);
  return [...new Set([...words, ...pairsOf(words)])];
}

function toEntry<T extends Searchable>(tool: T, values: readonly string[]): Entry<T> {
  const { slug, title, summary, accepts = "", aliases = "" } = tool;
  const names = [slug, title, ...aliases.split(", ")].map(toWords).filter((words) => words.length > 0);
  const words = new Map<string, number>();
  const add = (list: readonly string[], weight: number): void => {
    for (const word of list) words.set(word, Math.max(words.get(word) ?? 0, weight));
  };
  add(toWords(slug), weights.slug);
  add(toWords(title), weights.title);
  add(names.flat(), weights.aliases);
  add(toWords(accepts), weights.accepts);
  add(toWords(summary), weights.summary);
  add(values.flatMap(toWords), weights.values);
  return { tool, words, names };
}
