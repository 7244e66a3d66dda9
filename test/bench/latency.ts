import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readLoopDelay, watchOwnLoop, type LoopDelay } from "./loop-delay.ts";
import { percentile, ratios, toFigure, type Figure, type Target } from "./figures.ts";
import { openPeer, openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import type { ProbeResult } from "./probe.ts";
import type { PushMode, PushResult } from "./push.ts";
import { verify } from "./request.ts";
import type { Server } from "./server.ts";

interface Round {
  p99: number;
  documentsPerSecond: number;
  loop?: LoopDelay;
  /** The event loop of the benchmark's own process. */
  idle: LoopDelay;
}

const names = ["penknife", "bare", "bare-worker"] as const;
const modes: readonly PushMode[] = ["json", "raw"];
const duties = { checksKey: false, limits: false };

/** The p99 of small requests while two clients push 5 MB documents, and the delay of penknife's event loop. */
export async function latency({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const servers: Server[] = [];
  try {
    const penknife = await openPenknife(folder, command);
    servers.push(penknife);
    for (const name of names.slice(1)) servers.push(await openPeer(name, folder, penknife.key));
    for (const { name, origin, key } of servers) await verify(name, origin, key, duties);
    const figures: Figure[] = [];
    for (const mode of modes) figures.push(...(await measure(mode, servers, { quick, say })));
    return figures;
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  mode: PushMode,
  servers: readonly Server[],
  { quick, say }: Pick<PartOptions, "quick" | "say">,
): Promise<Figure[]> {
  const rounds = new Map(servers.map(({ name }) => [name, [] as Round[]]));
  const [count, seconds] = quick ? [2, 3] : [7, 5];
  for (const server of servers) await runOnce(mode, server, 2);
  for (let round = 0; round < count; round++) {
    const start = round % servers.length;
    for (const server of [...servers.slice(start), ...servers.slice(0, start)])
      rounds.get(server.name)?.push(await runOnce(mode, server, seconds));
    const cells = [...rounds].map(([name, all]) => `${name} ${all.at(-1)?.p99.toFixed(1)}`);
    say(`5 MB ${mode}, round ${round + 1} of ${count}, p99 in ms: ${cells.join(", ")}`);
  }
  return toFigures(mode, rounds);
}

async function runOnce(mode: PushMode, server: Server, seconds: number): Promise<Round> {
  const target = ["--origin", server.origin, "--key", server.key];
  const push = openPush([...target, "--mode", mode, "--seconds", String(seconds + 2)]);
  await push.ready;
  const isOurs = server.name === "penknife";
  if (isOurs) await readLoopDelay(server.origin);
  const own = watchOwnLoop();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL("probe.ts", import.meta.url)), ...target, "--seconds", String(seconds)],
    { timeout: (seconds + 30) * 1000, maxBuffer: 1e8 },
  );
  const idle = own.stop();
  const loop = isOurs ? await readLoopDelay(server.origin) : undefined;
  const probed = JSON.parse(stdout) as ProbeResult;
  const pushed = await push.result;
  server.truncateLog();
  if (probed.failures + pushed.failures > 0 || pushed.documents === 0)
    throw new Error(`${server.name}: ${probed.failures} small and ${pushed.failures} large requests failed`);
  return {
    p99: percentile(probed.times, 0.99),
    documentsPerSecond: pushed.documents / (seconds + 2),
    idle,
    ...(loop !== undefined && { loop }),
  };
}

/** Posts `ready` once the documents are made, so that making them is not measured. */
function openPush(args: readonly string[]): { ready: Promise<void>; result: Promise<PushResult> } {
  const child = spawn(process.execPath, [fileURLToPath(new URL("push.ts", import.meta.url)), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 120_000,
  });
  const ready = Promise.withResolvers<void>();
  const result = Promise.withResolvers<PushResult>();
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    if (text.startsWith("ready\n")) ready.resolve();
  });
  child.once("close", (code) => {
    if (code === 0) return result.resolve(JSON.parse(text.slice("ready\n".length)) as PushResult);
    const error = new Error(`push.ts ended with ${code}`);
    ready.reject(error);
    result.reject(error);
  });
  result.promise.catch(() => {});
  return { ready: ready.promise, result: result.promise };
}

function toFigures(mode: PushMode, rounds: ReadonlyMap<string, readonly Round[]>): Figure[] {
  const roundsOf = (name: string): readonly Round[] => rounds.get(name) ?? [];
  const p99 = (name: string): number[] => roundsOf(name).map((round) => round.p99);
  const loops = roundsOf("penknife").flatMap(({ loop }) => (loop === undefined ? [] : [loop]));
  const figure = (name: string, unit: Figure["unit"], values: readonly number[], target?: Target): Figure =>
    toFigure("latency", `${name} beside 5 MB ${mode}`, unit, values, target);
  return [
    figure("p99, penknife / bare", "×", ratios(p99("penknife"), p99("bare")), { atMost: 0.15 }),
    figure("p99, bare-worker / bare", "×", ratios(p99("bare-worker"), p99("bare"))),
    ...names.map((name) => figure(`p99, ${name}`, "ms", p99(name))),
    ...names.map((name) =>
      figure(
        `documents, ${name}`,
        "docs/s",
        roundsOf(name).map((round) => round.documentsPerSecond),
      ),
    ),
    figure(
      "event-loop delay p99, penknife",
      "ms",
      loops.map(({ p99: delay }) => delay),
      { atMost: 15 },
    ),
    figure(
      "event-loop delay p99, an idle process",
      "ms",
      roundsOf("penknife").map(({ idle }) => idle.p99),
    ),
    figure(
      "event-loop delay highest, penknife",
      "ms",
      loops.map(({ max }) => max),
    ),
  ];
}
