import type { GraphqlContext } from "../context.ts";

/** The runs of one operation that later ones wait for. */
export interface Turns {
  /** The last run on the event loop. */
  here: Promise<unknown> | undefined;
  /** The last run of each worker lane. */
  away: Promise<unknown>[];
  started: number;
}

/**
 * Most concurrent runs of one operation in workers: its caller may have other operations, and has a limited share of
 * the queue.
 */
const lanes = 4;

/**
 * Starts a run in its turn. A document may request dozens of runs at once; on the event loop, other requests are served
 * between two of them.
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
