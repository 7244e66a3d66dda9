import type { GraphqlContext } from "../context.ts";

/** The runs of one operation that the next ones wait for. */
export interface Turns {
  /** Of those on the event loop the last. */
  here: Promise<unknown> | undefined;
  /** Of those in workers the last of each lane. */
  away: Promise<unknown>[];
  started: number;
}

/** Runs of one operation in workers at a time: its caller has other operations, and a place in the queue for so many only. */
const lanes = 4;

/**
 * Begins a run when it is its turn. A document asks for dozens of runs at once; on the event loop others have their turn
 * between two of them, as they do between two requests.
 */
export function inTurn<T>(context: GraphqlContext, away: boolean, run: () => Promise<T>): Promise<T> {
  const turns = (context.turns ??= { here: undefined, away: [], started: 0 });
  if (away) {
    const lane = turns.started++ % lanes;
    const turn = turns.away[lane]?.then(run) ?? run();
    turns.away[lane] = settled(turn);
    return turn;
  }
  const turn = turns.here?.then(othersFirst).then(run) ?? run();
  turns.here = settled(turn);
  return turn;
}

const settled = (turn: Promise<unknown>): Promise<unknown> => turn.then(nothing, nothing);

const nothing = (): void => {};

const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
