import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `make test-long`. */
    long: boolean;
  }
}

/** Returns how often a test kills and restarts something: a few times in `make test`, many in `make test-long`. */
export const roundsOf = (few: number, many: number): number => (inject("long") ? many : few);

/** Returns every `step`-th case in `make test`, and all of them in `make test-long`. */
export const sampleOf = <Case>(cases: readonly Case[], step: number): readonly Case[] =>
  inject("long") ? cases : cases.filter((_, index) => index % step === 0);
