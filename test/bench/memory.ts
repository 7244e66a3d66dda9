import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childrenOf, proportionalBytes } from "../attacks/watch.ts";
import { toFigure, type Figure } from "./figures.ts";
import { openPenknife, penknifeCommand } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { body, headersOf, isolatedCall, path, post, type Post } from "./request.ts";
import type { Server } from "./server.ts";

const small: Post = { path, body };
/** Requests between two readings of the heap: what they allocate fits into the young generation, so nothing is collected. */
const requests = 1000;
const youngMb = 64;
/** Milliseconds after which the spare workers have started, and after which those of a burst have ended. */
const settledMs = 3000;
const idleMs = 65_000;

/**
 * Bytes that a request allocates in the event loop, and the memory of the server with its workers: at rest, after one isolated call, and
 * a minute later. Unlike times, both are the same on a busy machine.
 */
export async function memory(options: PartOptions): Promise<Figure[]> {
  return [...(await allocations(options)), ...(await family(options))];
}

/** Reads the heap before and after equal requests. penknife runs from its sources, which allocate as the executable does. */
async function allocations({ quick, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const file = join(folder, "heap");
  const [program = "", ...args] = penknifeCommand(true);
  const young = [`--min-semi-space-size=${youngMb}`, `--max-semi-space-size=${youngMb}`];
  const report = fileURLToPath(new URL("heap-report.ts", import.meta.url));
  const command = [program, "--expose-gc", ...young, "--import", report, ...args];
  const server = await openPenknife(folder, command, { BENCH_HEAP: file });
  try {
    const figures: Figure[] = [];
    for (const [name, sent] of [
      ["json-formatter", small],
      ["yaml-to-json, in a process", isolatedCall],
    ] as const) {
      // Compiled code allocates less.
      for (let n = 0; n < (quick ? 2 : 30); n++) await send(server, sent);
      const rounds: number[] = [];
      let [, since] = await readHeap(server, file);
      for (let round = 0; round < 5; round++) {
        await send(server, sent);
        const [used, collected] = await readHeap(server, file);
        rounds.push((used - since) / requests / 1024);
        since = collected;
      }
      figures.push(toFigure("memory", `${name}, allocated`, "KB", rounds));
      say(`${name}: ${rounds.map((kilobytes) => kilobytes.toFixed(1)).join(", ")} KB a request`);
    }
    return figures;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the requests of a round over a few connections. @throws Error if one is refused. */
async function send({ origin, key }: Server, sent: Post): Promise<void> {
  let left = requests;
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const response = await post(origin, headersOf(key), sent);
      const text = await response.text();
      if (!response.ok) throw new Error(`${sent.path} answers ${response.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
}

/** Returns the bytes of the heap before and after its garbage was collected. */
async function readHeap({ pid }: Server, file: string): Promise<readonly [number, number]> {
  const before = linesOf(file).length;
  process.kill(pid, "SIGUSR2");
  for (;;) {
    const lines = linesOf(file);
    const [used, collected] = lines.at(-1)?.split(" ").map(Number) ?? [];
    if (lines.length > before && used !== undefined && collected !== undefined) return [used, collected];
    await sleep(20);
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").trimEnd().split("\n");
  } catch {
    return [];
  }
}

async function family({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const server = await openPenknife(folder, command);
  try {
    const figures: Figure[] = [];
    const note = (name: string): void => {
      const processes = 1 + childrenOf(server.pid).length;
      const megabytes = proportionalBytes(server.pid) / 2 ** 20;
      say(`${name}: ${processes} processes, ${megabytes.toFixed(0)} MB`);
      figures.push(toFigure("memory", `${name}, ${processes} processes`, "MB", [megabytes]));
    };
    await sleep(settledMs);
    note("PSS at rest");
    await (await post(server.origin, headersOf(server.key), isolatedCall)).text();
    await sleep(settledMs);
    note("PSS after an isolated call");
    if (quick) return figures;
    await sleep(idleMs);
    note("PSS a minute after it");
    return figures;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
