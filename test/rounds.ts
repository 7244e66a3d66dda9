import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `make test-long`. */
    long: boolean;
  }
}

/** Whether this is `make test-long`. */
export const isLong = (): boolean => inject("long");

/** Returns the first number in `make test`, and the second one in `make test-long`: of kills, of calls, of bytes, or of milliseconds. */
export const roundsOf = (few: number, many: number): number => (isLong() ? many : few);

/** Returns every `step`-th case in `make test`, and all of them in `make test-long`. */
export const sampleOf = <Case>(cases: readonly Case[], step: number): readonly Case[] =>
  isLong() ? cases : cases.filter((_, index) => index % step === 0);
