import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ratios, toFigure, type Figure, type Target } from "./figures.ts";
import { createLoad, type Load } from "./load.ts";
import { installPeers, openPeer, openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { verify, type Duties } from "./request.ts";
import type { Server } from "./server.ts";
import { warm } from "./warm.ts";

interface Contender extends Duties {
  name: string;
  logs: boolean;
  /** The target for penknife's requests per second divided by this server's. */
  target?: Target;
}

const contenders: readonly Contender[] = [
  { name: "penknife", checksKey: true, limits: true, logs: true },
  { name: "bare", checksKey: false, limits: false, logs: false, target: { atLeast: 0.5 } },
  { name: "h3", checksKey: false, limits: false, logs: true, target: { atLeast: 0.8 } },
  { name: "fastify", checksKey: true, limits: true, logs: true, target: { above: 1 } },
  { name: "express", checksKey: true, limits: true, logs: true, target: { above: 1 } },
  { name: "hono", checksKey: true, limits: true, logs: true, target: { above: 1 } },
];

interface Round {
  perSecond: number;
  cpuMicros: number;
}

/** Requests per second of a small request, authenticated, limited and logged, beside each peer. */
export async function http({ quick, command, say }: PartOptions): Promise<Figure[]> {
  await installPeers();
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const servers: Server[] = [];
  try {
    const penknife = await openPenknife(folder, command);
    servers.push(penknife);
    for (const { name } of contenders.slice(1)) servers.push(await openPeer(name, folder, penknife.key));
    await verifyAll(servers);
    const load = await createLoad(folder);
    say(`load: ${load.name}`);
    const rounds = await measure(servers, load, { quick, say });
    await verifyAll(servers);
    return toFigures(rounds);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verifyAll(servers: readonly Server[]): Promise<void> {
  for (const [index, { name, origin, key, logBytes, truncateLog }] of servers.entries()) {
    const duties = contenders[index];
    if (duties === undefined) throw new Error(`${name} is no contender`);
    truncateLog();
    await verify(name, origin, key, duties);
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (duties.logs !== logBytes() > 0) throw new Error(`${name} ${duties.logs ? "logs nothing" : "logs"}`);
  }
}

async function measure(
  servers: readonly Server[],
  load: Load,
  { quick, say }: Pick<PartOptions, "quick" | "say">,
): Promise<Map<string, Round[]>> {
  const rounds = new Map(servers.map(({ name }) => [name, [] as Round[]]));
  const [count, seconds] = quick ? [3, 1] : [21, 1];
  for (const server of servers) await warm(server, load);
  for (let round = 0; round < count; round++) {
    // Each round starts with another server, so that none always runs after the same neighbour.
    const start = round % servers.length;
    for (const server of [...servers.slice(start), ...servers.slice(0, start)])
      rounds.get(server.name)?.push(await runOnce(server, load, seconds));
    const cells = [...rounds].map(([name, all]) => `${name} ${Math.round(all.at(-1)?.perSecond ?? 0)}`);
    say(`round ${round + 1} of ${count}, req/s: ${cells.join(", ")}`);
  }
  return rounds;
}

async function runOnce(server: Server, load: Load, seconds: number): Promise<Round> {
  const cpu = server.cpuSeconds();
  const result = await load.run(server, seconds);
  const used = server.cpuSeconds() - cpu;
  server.truncateLog();
  if (result.requests === 0 || result.failures > 0)
    throw new Error(`${server.name}: ${result.failures} of ${result.requests} requests failed`);
  return { perSecond: result.requests / result.seconds, cpuMicros: (used * 1e6) / result.requests };
}

function toFigures(rounds: ReadonlyMap<string, readonly Round[]>): Figure[] {
  const roundsOf = (name: string): readonly Round[] => rounds.get(name) ?? [];
  const perSecond = (name: string): number[] => roundsOf(name).map((round) => round.perSecond);
  const cpu = (name: string): number[] => roundsOf(name).map((round) => round.cpuMicros);
  return [
    ...contenders
      .slice(1)
      .map(({ name, target }) =>
        toFigure("http", `penknife / ${name}`, "×", ratios(perSecond("penknife"), perSecond(name)), target),
      ),
    ...contenders
      .slice(1)
      .map(({ name }) =>
        toFigure("http", `penknife / ${name}, by CPU`, "×", ratios(cpu(name), cpu("penknife"))),
      ),
    ...contenders.map(({ name }) => toFigure("http", `${name}, requests`, "req/s", perSecond(name))),
    ...contenders.map(({ name }) => toFigure("http", `${name}, CPU a request`, "µs", cpu(name))),
  ];
}
