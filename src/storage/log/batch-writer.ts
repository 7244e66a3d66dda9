import { setImmediate as nextTurn } from "node:timers/promises";

/** Writes items in order. Everything added while the disk is busy becomes one batch, which waits for the disk once. */
export interface BatchWriter<Item, Result> {
  /** Returns the item's result once its batch is written. Rejects with the error of the batch. */
  add(item: Item): Promise<Result>;
  /** Resolves when everything added so far is written or rejected. */
  idle(): Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Bytes of one batch, unless a single item is larger. */
const batchBytes = 4 * 1024 * 1024;

/** `write` resolves to a function for each item, called in order, that returns the item's result. */
export function createBatchWriter<Item, Result>(options: {
  bytesOf(item: Item): number;
  write(items: readonly Item[]): Promise<readonly (() => Result)[]>;
}): BatchWriter<Item, Result> {
  const { bytesOf, write } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  function takeBatch(): Waiting<Item, Result>[] {
    let bytes = 0;
    const end = waiting.findIndex(({ item }, index) => (bytes += bytesOf(item)) > batchBytes && index > 0);
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function run(): Promise<void> {
    // Items added in this turn, and those added by callers of the last batch, share a batch.
    for (await nextTurn(); waiting.length > 0; await nextTurn()) {
      const batch = takeBatch();
      let results: readonly (() => Result)[];
      try {
        results = await write(batch.map(({ item }) => item));
      } catch (error) {
        for (const { reject } of batch) reject(error);
        continue;
      }
      for (const [index, { resolve, reject }] of batch.entries()) {
        try {
          resolve((results[index] as () => Result)());
        } catch (error) {
          reject(error);
        }
      }
    }
    running = undefined;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run();
      }),
    idle: async () => running,
  };
}
