import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `make test-long`. */
    long: boolean;
    /** The beginning of the commit's hash, in hexadecimal: it selects the samples. */
    seed: string;
  }
}

/** Whether this is `make test-long`. */
export const isLong = (): boolean => inject("long");

/** Returns the first number in `make test`, and the second one in `make test-long`: of kills, of calls, of bytes, or of milliseconds. */
export const roundsOf = (few: number, many: number): number => (isLong() ? many : few);

/**
 * Returns every `step`-th case in `make test`, and all of them in `make test-long`. The commit decides which is the first, so
 * that no case is left out for ever; a run prints how to repeat it (`reporter.ts`).
 */
export function sampleOf<Case>(cases: readonly Case[], step: number): readonly Case[] {
  if (isLong()) return cases;
  const offset = offsetOf(Math.min(step, cases.length));
  return cases.filter((_, index) => index % step === offset);
}

/** Returns which one of `step` cases the commit selects, from 0. */
export const offsetOf = (step: number): number => Number.parseInt(inject("seed"), 16) % Math.max(step, 1);
