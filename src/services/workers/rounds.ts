import type { Runtime } from "../../runtime.ts";

/** Looks at all busy workers at once, with one timer for all calls. */
export interface Rounds {
  /** Has `look` called every `roundMs`, with the time by the clock that never goes back, until it is removed. */
  add(look: Look): void;
  remove(look: Look): void;
}

export type Look = (time: number) => void;

/** Milliseconds between two rounds; a deadline is noticed this much later at most. */
export const roundMs = 25;

/**
 * Creates the rounds of a pool. Calls begin and end thousands of times a second, so the timer goes on between them and ends in the
 * first round without one. Only while there is a call does it keep the process alive.
 * @param onRound Called after each round.
 */
export function createRounds(runtime: Pick<Runtime, "monotonic">, onRound: () => void): Rounds {
  const looks = new Set<Look>();
  let timer: NodeJS.Timeout | undefined;

  function round(): void {
    if (looks.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const time = runtime.monotonic();
    for (const look of looks) look(time);
    onRound();
  }

  return {
    add(look) {
      looks.add(look);
      if (looks.size > 1) return;
      timer = timer?.ref() ?? setInterval(round, roundMs);
    },
    remove(look) {
      if (looks.delete(look) && looks.size === 0) timer?.unref();
    },
  };
}
