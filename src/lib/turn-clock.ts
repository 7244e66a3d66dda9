/**
 * Clocks for the path of every request, which asks for the time some twenty times: a reading costs more than most of the
 * work between two of them. They stand still within a turn of the event loop, but for `read`.
 */
export interface TurnClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back, as of the last `read` of this turn. */
  monotonic(): number;
  /** Reads the clock that never goes back, and sets both clocks for the rest of the turn. */
  read(): number;
}

/** Milliseconds that the epoch time may be behind. */
const behindMs = 1;

export function createTurnClock(clocks: { now(): number; monotonic(): number }): TurnClock {
  let steady: number | undefined;
  let wall: number | undefined;
  let wallAt = 0;
  let isEnding = false;

  function endTurn(): void {
    isEnding = false;
    steady = undefined;
    wall = undefined;
  }

  function read(): number {
    steady = clocks.monotonic();
    if (wall !== undefined && steady - wallAt >= behindMs) wall = undefined;
    if (!isEnding) {
      isEnding = true;
      setImmediate(endTurn);
    }
    return steady;
  }

  const monotonic = (): number => steady ?? read();

  return {
    now() {
      if (wall === undefined) {
        wallAt = monotonic();
        wall = clocks.now();
      }
      return wall;
    },
    monotonic,
    read,
  };
}
