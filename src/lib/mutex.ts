/** Runs tasks one at a time, in the order of the calls, and returns each task's result. A rejection does not stop the next task. */
export type Mutex = <T>(task: () => T | Promise<T>) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    // Keeps neither result nor error, and handles the rejection of a task that nobody waits for.
    last = result.then(ignore, ignore);
    return result;
  };
}

/** Like `createMutex`, but starts a task within the call if no other task is running or waiting. */
export function createEagerMutex(): Mutex {
  const inTurn = createMutex();
  let tasks = 0;
  return <T>(task: () => T | Promise<T>) => {
    const begun = tasks++ === 0 ? start(task) : undefined;
    return inTurn(() => begun ?? task()).finally(() => tasks--);
  };
}

const start = async <T>(task: () => T | Promise<T>): Promise<T> => task();

const ignore = (): void => {};
