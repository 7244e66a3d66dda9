import { createMutex, type Mutex } from "./mutex.ts";

/** Runs the tasks of one key one at a time, in the order of the calls; those of different keys concurrently. */
export type KeyedMutex = <T>(key: string, task: () => T | Promise<T>) => Promise<T>;

export function createKeyedMutex(): KeyedMutex {
  const used = new Map<string, { inTurn: Mutex; tasks: number }>();
  return async (key, task) => {
    const mine = used.get(key) ?? { inTurn: createMutex(), tasks: 0 };
    used.set(key, mine);
    mine.tasks += 1;
    try {
      return await mine.inTurn(task);
    } finally {
      mine.tasks -= 1;
      if (mine.tasks === 0) used.delete(key);
    }
  };
}
