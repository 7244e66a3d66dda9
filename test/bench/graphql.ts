import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Figure, ratios, toFigure } from "./figures.ts";
import { live } from "./graphql-live.ts";
import { createLoad, type Load } from "./load.ts";
import { type Question, questions } from "./graphql-questions.ts";
import { installPeers, openPeer, openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import { headersOf, post } from "./request.ts";
import type { Server } from "./server.ts";
import { warm } from "./warm.ts";

const peers = ["graphql-yoga", "graphql-http"] as const;

/** The highest share of the CPU time of the faster peer. */
const atMost = 0.6;

/** Measures the CPU time of an operation beside two servers with the same schema, and the cost of live subscribers. */
export async function graphql(options: PartOptions): Promise<Figure[]> {
  const { quick, command, say } = options;
  await installPeers();
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const servers: Server[] = [];
  const figures: Figure[] = [];
  try {
    const penknife = await openPenknife(folder, command);
    servers.push(penknife);
    const first = questions[0]?.post;
    for (const name of peers) servers.push(await openPeer(name, folder, penknife.key, [], {}, first));
    const load = await createLoad(folder);
    for (const question of questions) {
      for (const server of servers) await verify(server, question);
      figures.push(...toFigures(question.name, await measure(servers, load, question, { quick, say })));
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  }
  return [...figures, ...(await live(options))];
}

/** @throws Error if a server does different work: unequal work is not compared. */
async function verify({ name, origin, key }: Server, question: Question): Promise<void> {
  const known = await ask(origin, key, question);
  if (!isDeepStrictEqual(known, { data: question.data }))
    throw new Error(`${name} answers ${JSON.stringify(known)} to ${question.post.body}`);
  const stranger = await ask(origin, `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`, question);
  if (stranger?.data) throw new Error(`${name} accepts an unknown key`);
}

async function ask(origin: string, key: string, question: Question): Promise<{ data?: unknown } | undefined> {
  const text = await (await post(origin, headersOf(key), question.post)).text();
  // graphql-http has no JSON answer when its context function throws.
  if (!text.startsWith("{")) return undefined;
  return JSON.parse(text, (name, value: unknown) => (name === "remaining" ? 0 : value)) as { data?: unknown };
}

/** Microseconds of CPU time per operation, by server, one number per round. */
async function measure(
  servers: readonly Server[],
  load: Load,
  { name, post: question }: Question,
  { quick, say }: Pick<PartOptions, "quick" | "say">,
): Promise<Map<string, number[]>> {
  const rounds = new Map(servers.map((server) => [server.name, [] as number[]]));
  const asked: Load = { ...load, run: (server, seconds) => load.run(server, seconds, question) };
  const count = quick ? 3 : 11;
  for (const server of servers) await warm(server, asked);
  for (let round = 0; round < count; round++) {
    // Each round starts with another server, so that none always runs after the same neighbour.
    const start = round % servers.length;
    for (const server of [...servers.slice(start), ...servers.slice(0, start)])
      rounds.get(server.name)?.push(await runOnce(server, asked));
    const cells = [...rounds].map(([server, all]) => `${server} ${Math.round(all.at(-1) ?? 0)}`);
    say(`${name}, round ${round + 1} of ${count}, µs of CPU: ${cells.join(", ")}`);
  }
  return rounds;
}

async function runOnce(server: Server, load: Load): Promise<number> {
  const cpu = server.cpuSeconds();
  const { requests, failures } = await load.run(server, 1);
  const used = server.cpuSeconds() - cpu;
  server.truncateLog();
  if (requests === 0 || failures > 0)
    throw new Error(`${server.name}: ${failures} of ${requests} requests failed`);
  return (used * 1e6) / requests;
}

function toFigures(question: string, rounds: ReadonlyMap<string, number[]>): Figure[] {
  const of = (name: string): number[] => rounds.get(name) ?? [];
  const better = of(peers[0]).map((time, round) => Math.min(time, of(peers[1])[round] ?? Infinity));
  return [
    toFigure(
      "graphql",
      `${question}, penknife / the better peer, by CPU`,
      "×",
      ratios(of("penknife"), better),
      {
        atMost,
      },
    ),
    ...[...rounds].map(([name, times]) =>
      toFigure("graphql", `${question}, ${name}, CPU a request`, "µs", times),
    ),
  ];
}
