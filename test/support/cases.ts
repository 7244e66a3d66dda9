import { inject } from "vitest";

// How much of its work a test does. `make test` repeats, kills and samples as the rules here say, `make test-long` as long as it takes;
// no test has numbers of its own for the two.

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `make test-long`. */
    long: boolean;
    /** The beginning of the commit's hash, in hexadecimal: it selects the cases. */
    seed: string;
    /** The slug of the only tool to test (`make test-tool`), or an empty text. */
    tool: string;
  }
}

/** Whether this is `make test-long`. */
export const isLong = (): boolean => inject("long");

/** Cases of one list in `make test`, if a case takes milliseconds. */
const maxCases = 200;
/** The same if a case starts a program, loads a page or takes as long: a second. */
export const maxSeconds = 12;
/** The same if a case takes several seconds, or gigabytes. */
export const maxLonger = 2;

/**
 * Returns all cases if they are at most `max` or this is `make test-long`; otherwise so many, evenly spread. The commit selects the first one, so
 * that no case is left out for ever; a run prints its seed and how to repeat it (`test/run/reporter.ts`).
 */
export function cases<Case>(list: readonly Case[], max = maxCases): readonly Case[] {
  if (isLong() || list.length <= max) return list;
  const step = Math.ceil(list.length / max);
  const first = turnOf(step);
  return list.filter((_, index) => index % step === first);
}

/** Returns which one of `count` the commit selects, from 0. */
export const turnOf = (count: number): number => Number.parseInt(inject("seed"), 16) % Math.max(count, 1);

/** Returns the seed of random inputs that a test draws at once, with `fc.sample`: the commit selects them too. */
export const drawSeed = (): number => Number.parseInt(inject("seed"), 16) | 0;

/**
 * Returns how often a test kills, restarts or races something: in `make test` twice, once over an empty store and once over what
 * the first time left.
 */
export const repeats = (many: number): number => (isLong() ? many : Math.min(2, many));

/** Returns the number of runs of a property: ten times as many in `make test-long`. */
export const propertyRuns = (usual: number): number => (isLong() ? 10 * usual : usual);

/** Returns a size, of a list, a document or a load: four times as large in `make test-long`. */
export const amount = (usual: number): number => (isLong() ? 4 * usual : usual);

/** Whether to test the tool: all but in `make test-tool`, which names the only one. */
export const isChosen = (slug: string): boolean => inject("tool") === "" || inject("tool") === slug;
