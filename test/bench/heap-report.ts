import { appendFileSync } from "node:fs";

// Loaded before the program by `memory.ts`. At each SIGUSR2 it collects the garbage and appends the bytes of the heap to a file.
const file = process.env["BENCH_HEAP"];
const collect = globalThis.gc;
if (file !== undefined && collect !== undefined) {
  process.on("SIGUSR2", () => {
    const { heapUsed: before } = process.memoryUsage();
    void collect();
    const { heapUsed: after } = process.memoryUsage();
    appendFileSync(file, `${before} ${after}\n`);
  });
}
