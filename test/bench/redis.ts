import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RedisServer, startRedis } from "../system/storage/redis-server.ts";
import { percentile, ratios, toFigure, type Figure } from "./figures.ts";
import { createLoad, type Load } from "./load.ts";
import { installPeers, openPeer, openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import type { ProbeResult } from "./probe.ts";
import { verify } from "./request.ts";
import type { Server } from "./server.ts";
import { warm } from "./warm.ts";

type Name = "file" | "redis" | "peer";

interface Round {
  perSecond: number;
  cpuMicros: number;
  /** Latency of single requests, in milliseconds. */
  p50: number;
  p99: number;
  /** Redis scripts and look-ups per request: for single requests, and under load. */
  alone: Commands;
  together: Commands;
}

interface Commands {
  scripts: number;
  gets: number;
}

const duties = { checksKey: true, limits: true };

/** Redis mode beside file mode, and beside the usual code for keys and quotas on Redis. */
export async function redis({ quick, command, say }: PartOptions): Promise<Figure[]> {
  await installPeers();
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const store = await startRedis(["--appendonly", "yes"]);
  const servers: Partial<Record<Name, Server>> = {};
  try {
    const place = (name: Name): string => {
      const path = join(folder, name);
      mkdirSync(path);
      return path;
    };
    servers.file = await openPenknife(place("file"), command);
    servers.redis = await openPenknife(place("redis"), command, {
      PENKNIFE_STORAGE_DRIVER: "redis",
      PENKNIFE_STORAGE_URL: store.url,
    });
    servers.peer = await openPeer("redis", place("peer"), servers.redis.key, [], { BENCH_REDIS: store.url });
    const all = Object.entries(servers) as [Name, Server][];
    for (const [name, { origin, key }] of all) await verify(name, origin, key, duties);
    const load = await createLoad(folder);
    say(`load: ${load.name}`);
    const rounds: Record<Name, Round[]> = { file: [], redis: [], peer: [] };
    const [count, seconds] = quick ? [3, 1] : [15, 1];
    for (const [, server] of all) await warm(server, load);
    for (let round = 0; round < count; round++) {
      const start = round % all.length;
      for (const [name, server] of [...all.slice(start), ...all.slice(0, start)])
        rounds[name].push(await runOnce(server, load, seconds, store));
      const cells = all.map(([name]) => `${name} ${Math.round(rounds[name].at(-1)?.perSecond ?? 0)}`);
      say(`round ${round + 1} of ${count}, req/s: ${cells.join(", ")}`);
    }
    return toFigures(rounds);
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.close()));
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOnce(server: Server, load: Load, seconds: number, store: RedisServer): Promise<Round> {
  const before = await readCommands(store);
  const cpu = server.cpuSeconds();
  const result = await load.run(server, seconds);
  const used = server.cpuSeconds() - cpu;
  const between = await readCommands(store);
  server.truncateLog();
  if (result.requests === 0 || result.failures > 0)
    throw new Error(`${server.name}: ${result.failures} of ${result.requests} requests failed`);
  const { times, failures } = await probe(server, seconds);
  const after = await readCommands(store);
  server.truncateLog();
  if (failures > 0) throw new Error(`${server.name}: ${failures} single requests failed`);
  return {
    perSecond: result.requests / result.seconds,
    cpuMicros: (used * 1e6) / result.requests,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    together: perRequest(before, between, result.requests),
    alone: perRequest(between, after, times.length),
  };
}

async function probe({ origin, key }: Server, seconds: number): Promise<ProbeResult> {
  const script = fileURLToPath(new URL("probe.ts", import.meta.url));
  const args = [
    "--origin",
    origin,
    "--key",
    key,
    "--rate",
    "200",
    "--seconds",
    String(seconds),
    "--warmSeconds",
    "0",
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as ProbeResult;
}

/** As Redis counts them; each script contains one GET, which counts too. */
async function readCommands(store: RedisServer): Promise<Commands> {
  const text = String(await store.command("INFO", "commandstats"));
  const calls = (name: string): number =>
    Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(text)?.[1] ?? 0);
  const scripts = calls("evalsha");
  return { scripts, gets: calls("get") - scripts };
}

function perRequest(before: Commands, after: Commands, requests: number): Commands {
  return {
    scripts: (after.scripts - before.scripts) / requests,
    gets: (after.gets - before.gets) / requests,
  };
}

function toFigures({ file, redis: ours, peer }: Record<Name, readonly Round[]>): Figure[] {
  const of = (rounds: readonly Round[], field: Exclude<keyof Round, "alone" | "together">): number[] =>
    rounds.map((round) => round[field]);
  const added = (field: "p50" | "p99"): number[] =>
    of(ours, field).map((value, round) => value - (of(file, field)[round] ?? Number.NaN));
  const figure = (name: string, unit: Figure["unit"], rounds: readonly number[], target = {}): Figure =>
    toFigure("redis", name, unit, rounds, target);
  return [
    figure("CPU of a request, redis / file", "×", ratios(of(ours, "cpuMicros"), of(file, "cpuMicros")), {
      atMost: 1.6,
    }),
    figure("penknife / GET + INCR + EXPIRE", "×", ratios(of(ours, "perSecond"), of(peer, "perSecond")), {
      above: 1,
    }),
    figure("the same by CPU", "×", ratios(of(peer, "cpuMicros"), of(ours, "cpuMicros"))),
    // One script is one round trip: look-ups beside it share its packet (test/system/e2e/redis.test.ts).
    figure(
      "scripts of a single request",
      "per request",
      ours.map(({ alone }) => alone.scripts),
      { atMost: 1.001 },
    ),
    figure(
      "look-ups in its packet",
      "per request",
      ours.map(({ alone }) => alone.gets),
    ),
    figure(
      "scripts, 32 requests at once",
      "per request",
      ours.map(({ together }) => together.scripts),
    ),
    figure("p50 added to file mode's", "ms", added("p50")),
    figure("p99 added to file mode's", "ms", added("p99")),
    ...(["p50", "p99"] as const).map((field) =>
      figure(
        `${field}, GET + INCR + EXPIRE added`,
        "ms",
        of(peer, field).map((value, round) => value - (of(file, field)[round] ?? Number.NaN)),
      ),
    ),
    ...Object.entries({ file, redis: ours, "GET + INCR + EXPIRE": peer }).map(([name, rounds]) =>
      figure(`${name}, requests`, "req/s", of(rounds, "perSecond")),
    ),
    ...Object.entries({ file, redis: ours, "GET + INCR + EXPIRE": peer }).map(([name, rounds]) =>
      figure(`${name}, CPU of a request`, "µs", of(rounds, "cpuMicros")),
    ),
  ];
}
