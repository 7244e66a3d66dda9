/** The counts that the journal on the disk lacks, by the ids of their windows. */
export interface Backlog {
  readonly ids: ReadonlySet<string>;
  /** The disk has refused ids, and the journal has not caught up since. */
  readonly isBehind: boolean;
  /** Ids were forgotten: only a rewritten journal has their counts. */
  readonly hasGaps: boolean;
  note(id: string): void;
  /** The journal has the counts of all ids. */
  written(): void;
  /** The disk has refused them: they wait for the next attempt, unless they are too many. */
  refused(): void;
  /** Call it before the journal is rewritten from memory. Returns a function to call when that is done. */
  rewriting(): () => void;
}

/** Most ids that wait for the disk. Beyond it none waits: the whole journal is rewritten when there is room. */
const maxWaiting = 10_000;

/** `onCaughtUp` is called when the journal has every count again. */
export function createBacklog(onCaughtUp: () => void): Backlog {
  const ids = new Set<string>();
  let isBehind = false;
  /** The times that there were too many ids, and those that a rewritten journal has made good. */
  let overflows = 0;
  let madeGood = 0;

  function look(): void {
    if (!isBehind || ids.size > 0 || madeGood < overflows) return;
    isBehind = false;
    onCaughtUp();
  }

  return {
    ids,
    get isBehind() {
      return isBehind;
    },
    get hasGaps() {
      return madeGood < overflows;
    },
    note: (id) => void ids.add(id),
    written() {
      ids.clear();
      look();
    },
    refused() {
      isBehind = true;
      if (ids.size <= maxWaiting) return;
      overflows += 1;
      ids.clear();
    },
    rewriting() {
      const known = overflows;
      return () => {
        madeGood = known;
        look();
      };
    },
  };
}
