export interface CostOptions {
  /** Counts the CPU time of every thread, for work that more than one does. */
  process?: boolean;
}

/**
 * Starts to count CPU time. The returned function gives what this thread has used since then, in units of a reference that is measured at
 * that moment: parsing and serializing 1 MB of JSON with V8, some 10 ms on an idle core. A busy machine slows both, so that a bound in
 * these units holds on any machine.
 */
export function startCost({ process: whole = false }: CostOptions = {}): () => number {
  const clock = whole ? processTime : cpuTime;
  const before = clock();
  return () => (clock() - before) / measureReference();
}

/** Returns the milliseconds of CPU time of this thread so far. */
export function cpuTime(): number {
  // Linux updates the time of a running thread when the time of its process is read, but not when that of the thread is read; the latter
  // may be up to 4 ms old.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the milliseconds of the reference, measured with a fifth of it: the cost is proportional to the size, and each test pays for it.
 * It is the least of several runs: other programs make a run cost more, never less.
 */
function measureReference(): number {
  let least = Infinity;
  for (let run = 0; run < 5; run++) {
    const before = cpuTime();
    if (JSON.stringify(JSON.parse(text)).length !== text.length) throw new Error("JSON has changed");
    least = Math.min(least, cpuTime() - before);
  }
  return least * 5;
}

const text = JSON.stringify(
  Array.from({ length: 2000 }, (_, id) => ({
    id,
    name: `Customer ${id}`,
    tags: ["new", "vip"],
    balance: id * 1.37,
  })),
);
