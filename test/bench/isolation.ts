import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "../../src/catalog/execute.ts";
import type { Isolation } from "../../src/catalog/tool.ts";
import { workerCommand } from "../../src/lib/load.ts";
import { sandboxOptions, sandboxWord } from "../../src/lib/sandbox.ts";
import { createPool, type Pool } from "../../src/services/workers/pool.ts";
import { cpuOfCalls } from "./calls.ts";
import { median, ratios, toFigure, type Figure } from "./figures.ts";
import { openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { isolatedCall } from "./request.ts";
import { testRuntime } from "../support/runtime.ts";

const megabyte = 1_000_000;
const memoryMb = 256;
const places = ["thread", "process"] as const;

/**
 * The time of a call in a worker process beside the same call on a worker thread, and the CPU time of the server for an isolated call
 * beside one on its event loop, alternating in one run.
 */
export async function isolation(options: PartOptions): Promise<Figure[]> {
  return [...(await ofPlaces(options)), ...(await inTheServer(options))];
}

/** The worker's own CPU time is not counted: it is another process. */
async function inTheServer({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const server = await openPenknife(folder, command);
  try {
    const count = quick ? 500 : 5000;
    const isolated: number[] = [];
    const small: number[] = [];
    for (let round = -1; round < (quick ? 3 : 9); round++) {
      const [one, other] = [
        await cpuOfCalls(server, count),
        await cpuOfCalls(server, count, undefined, isolatedCall),
      ];
      // The first round compiles what a call runs.
      if (round < 0) continue;
      small.push(one);
      isolated.push(other);
    }
    say(`small: ${median(small).toFixed(0)} µs, isolated: ${median(isolated).toFixed(0)} µs`);
    return [
      toFigure("isolation", "CPU of the server for a small call", "µs", small),
      toFigure("isolation", "CPU of the server for a small isolated call", "µs", isolated, { atMost: 120 }),
      toFigure("isolation", "isolated beside small", "×", ratios(isolated, small)),
    ];
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ofPlaces({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const [program = ""] = command;
  const pool = createPool({
    source: new URL("../../src/worker.ts", import.meta.url),
    process:
      command.length === 1
        ? { command: program, args: [sandboxWord], env: { NODE_OPTIONS: sandboxOptions(memoryMb).join(" ") } }
        : workerCommand(memoryMb),
    size: 2,
    deadlineMs: 60_000,
    memoryMb,
    runtime: testRuntime({ monotonic: () => performance.now() }),
  });
  try {
    const figures: Figure[] = [];
    for (const [name, size] of [
      ["100 B", 100],
      ["1 MB", megabyte],
    ] as const) {
      const times = await measure(pool, size, quick ? 50 : 400);
      const beyond = times.process.map((ms, round) => ms - (times.thread[round] ?? Number.NaN));
      say(
        `${name} in and out: thread ${median(times.thread).toFixed(2)} ms, process ${median(times.process).toFixed(2)} ms`,
      );
      figures.push(
        toFigure("isolation", `${name} in and out, on a thread`, "ms", times.thread),
        toFigure("isolation", `${name} in and out, in a process`, "ms", times.process),
        toFigure("isolation", `${name} in and out, process beyond thread`, "ms", beyond, { atMost: 3 }),
      );
    }
    return figures;
  } finally {
    await pool.close();
  }
}

async function measure(pool: Pool, size: number, rounds: number): Promise<Record<Isolation, number[]>> {
  const document = new TextEncoder().encode(`["${"a".repeat(size - 4)}"]`);
  const times = { thread: [] as number[], process: [] as number[] };
  // The first calls load and compile the tool.
  for (let round = -20; round < rounds; round++) {
    for (const place of places) {
      // Each call transfers its bytes.
      const call: Call = {
        slug: "json-minifier",
        body: { kind: "raw", bytes: new Uint8Array(document), text: true, options: [] },
        form: "bytes",
        check: false,
      };
      const started = performance.now();
      const { body } = await pool.run(call, place);
      const ms = performance.now() - started;
      if (body.length !== document.length) throw new Error(`${place} answered ${body.length} bytes`);
      if (round >= 0) times[place].push(ms);
    }
  }
  return times;
}
