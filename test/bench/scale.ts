import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccounts } from "../../src/services/access/accounts.ts";
import { createKeys } from "../../src/services/access/keys.ts";
import type { Store } from "../../src/storage/storage.ts";
import type { RedisServer } from "../system/storage/redis-server.ts";
import { type Figure, median, ratios, type Target, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";
import { scaleCalls } from "./scale-calls.ts";
import { scaleHistory } from "./scale-history.ts";
import { fillFolder, fillRedis, openFolder, openShared, runtime, startShared } from "./scale-stores.ts";

/** The acts of an operator, an event and a start, and the CPU time that each cost in a round, that of Redis included, in milliseconds. */
const acts = [
  "start",
  "issue",
  "list of one account",
  "count",
  "endpoints for an event",
  "revoke",
  "disable",
] as const;
type Times = Record<(typeof acts)[number], number>;

/** A store to measure. */
interface Subject {
  open(): Promise<Store>;
  /** The CPU time of what serves the store, besides this process, in milliseconds so far. */
  cpuMs(): Promise<number>;
}

/**
 * The cost of administration in a store that holds much, beside the same in one that holds little: accounts of others, and names of somebody else
 * in the same Redis. Every round does both. CPU time, because it holds on a machine that does other things too.
 */
export async function scale(options: PartOptions): Promise<Figure[]> {
  const { quick, say } = options;
  const sizes = quick ? [100, 1000] : [1000, 10_000, 100_000];
  const foreign = quick ? 100_000 : 5_000_000;
  const rounds = quick ? 3 : 5;
  return [
    ...(await besideForeign(foreign, rounds, say)),
    ...(await ofRedis(sizes, rounds, say)),
    ...(await ofFiles(sizes, rounds, say)),
    ...(await scaleCalls(options)),
    ...(await scaleHistory(options)),
  ];
}

async function besideForeign(foreign: number, rounds: number, say: PartOptions["say"]): Promise<Figure[]> {
  const empty = await startShared(0);
  const full = await startShared(foreign);
  try {
    say(`${foreign} foreign names`);
    return await compare(
      `redis, ${foreign} foreign names`,
      rounds,
      toSubject(full),
      toSubject(empty),
      1.1,
      say,
    );
  } finally {
    await Promise.all([empty.close(), full.close()]);
  }
}

async function ofRedis(sizes: readonly number[], rounds: number, say: PartOptions["say"]): Promise<Figure[]> {
  const one = await startShared(0);
  const many = await startShared(0);
  const figures: Figure[] = [];
  try {
    // Begins the store, which has no accounts then.
    await (await openShared(many)).close();
    let filled = 0;
    for (const size of sizes) {
      await fillRedis(many, filled, size);
      filled = size;
      say(`redis, ${size} accounts`);
      figures.push(
        ...(await compare(`redis, ${size} accounts`, rounds, toSubject(many), toSubject(one), 1.5, say)),
      );
    }
    return figures;
  } finally {
    await Promise.all([one.close(), many.close()]);
  }
}

async function ofFiles(sizes: readonly number[], rounds: number, say: PartOptions["say"]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
    try {
      fillFolder(join(folder, "many"), size);
      fillFolder(join(folder, "one"), 1);
      say(`files, ${size} accounts`);
      const of = (name: string): Subject => ({
        open: () => openFolder(join(folder, name)),
        cpuMs: async () => 0,
      });
      figures.push(...(await compare(`files, ${size} accounts`, rounds, of("many"), of("one"), 1.5, say)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

const toSubject = (server: RedisServer): Subject => ({
  open: () => openShared(server),
  async cpuMs() {
    const text = String(await server.command("INFO", "cpu"));
    const of = (kind: string): number =>
      Number(new RegExp(`^used_cpu_${kind}:([\\d.]+)`, "m").exec(text)?.[1]);
    return 1000 * (of("user") + of("sys"));
  },
});

async function compare(
  what: string,
  rounds: number,
  large: Subject,
  small: Subject,
  atMost: number,
  say: PartOptions["say"],
): Promise<Figure[]> {
  const many: Times[] = [];
  const one: Times[] = [];
  // Compiles what the rounds run.
  await runOnce(small);
  for (let round = 0; round < rounds; round++) {
    // What is first differs, so that neither always follows the other.
    if (round % 2 === 0) one.push(await runOnce(small));
    many.push(await runOnce(large));
    if (round % 2 === 1) one.push(await runOnce(small));
  }
  const figures = acts.map((act) => {
    const ofMany = many.map((times) => times[act]);
    const ofOne = one.map((times) => times[act]);
    const target: Target = { atMost: act === "start" ? Math.min(atMost, 1.3) : atMost };
    const cost = `${median(ofMany).toFixed(2)} ms of CPU, ${median(ofOne).toFixed(2)} with few`;
    return toFigure("scale", `${what}: ${act} (${cost})`, "×", [median(ratios(ofMany, ofOne))], target);
  });
  // Before the next store is filled, which may take minutes.
  for (const { name, value } of figures) say(`${name}: ${value.toFixed(2)} ×`);
  return figures;
}

const repeats = 50;

/** Does everything with an account of its own. @throws Error if a revoked key still works. */
async function runOnce({ open, cpuMs }: Subject): Promise<Times> {
  const times = {} as Times;
  const name = `measured-${Buffer.from(runtime.random(6)).toString("hex")}`;

  async function timed<T>(
    act: (typeof acts)[number],
    work: (n: number) => Promise<T>,
    count = repeats,
  ): Promise<T[]> {
    const results: T[] = [];
    const before = await cpuMs();
    const since = process.cpuUsage();
    for (let n = 0; n < count; n++) results.push(await work(n));
    const { user, system } = process.cpuUsage(since);
    times[act] = ((user + system) / 1000 + (await cpuMs()) - before) / count;
    return results;
  }

  const [store] = (await timed("start", open, 1)) as [Store];
  const keys = createKeys({ store, runtime, maxKeyDays: 0 });
  const accounts = createAccounts({ store, keys, runtime });
  try {
    await accounts.create({ name, plan: "team" });
    const issued = await timed("issue", () => keys.issue({ account: name }));
    const [listed] = await timed("list of one account", () => keys.list({ account: name }));
    if (listed?.records.length !== repeats) throw new Error("the list is not complete");
    await timed("count", () => store.keys.count(name));
    await timed("endpoints for an event", () => store.endpoints.of(name));
    await timed("revoke", (n) => keys.revoke(issued[n]?.key ?? ""));
    for (const { key } of issued)
      if ((await keys.check(key)).code !== "revoked_key") throw new Error("a revoked key works");
    await timed("disable", (n) => (n % 2 === 0 ? accounts.disable(name) : accounts.enable(name)));
    for (const { record } of issued) await store.keys.remove(record.id.slice("key_".length));
    await accounts.remove(name);
    return times;
  } finally {
    await store.close();
  }
}
