import { expect, onTestFinished, test } from "vitest";
import type { DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { startRedis } from "../redis-server.ts";
import { openQueue } from "./connection.ts";
import { createWorkers, findOverlaps, type Settled, type Tale } from "./queue-workers.ts";
import { repeats } from "../../../support/cases.ts";

const inFlight = 4;
const nodes = 3;
const leaseMs = 1000;

async function begin(args: readonly string[]) {
  const redis = await startRedis(args);
  onTestFinished(() => redis.close());
  const queue = await openQueue(redis.url, "p:");
  const { tale, start, until } = createWorkers(redis.url, "p:", { leaseMs, inFlight });
  const workers = Array.from({ length: nodes }, start);
  return { redis, queue, tale, start, until, workers };
}

/** Every accepted event has been delivered, once. Returns when each attempt of the log began, by `ID FENCE`. */
async function checkAll(
  queue: DeliveryQueue,
  tale: Tale,
  mayLoseAnswers = false,
): Promise<Map<string, number>> {
  const { added, claimed, settled, lost } = tale;
  expect(await queue.stats()).toEqual({ depth: 0 });
  expect(new Set(added.map(({ id }) => id)).size).toBe(added.length);
  const found = await Promise.all(added.map(({ id }) => queue.get(id)));
  const missing = added.filter(({ event }, index) => {
    const one = found[index];
    return one?.state !== "delivered" || one.event !== event;
  });
  expect(missing).toEqual([]);

  // Including events that were accepted although the process died before it could report so.
  const all = await queue.list({ limit: 1_000_000 });
  const logs = await Promise.all(all.map(async ({ id }) => ({ id, log: (await queue.get(id))?.log ?? [] })));
  const ends = ({ log }: (typeof logs)[0]): boolean =>
    log.findIndex(({ outcome }) => outcome === "ok") === log.length - 1 && log.length > 0;
  expect(logs.filter((one) => !ends(one))).toEqual([]);

  const logged = new Map<string, number>(
    logs.flatMap(({ id, log }) => log.map(({ excerpt, at }) => [`${id} ${excerpt}`, at] as const)),
  );
  expect(logged.size).toBe(logs.reduce((sum, { log }) => sum + log.length, 0));
  const named = (some: readonly { id: string; fence: number }[]): string[] =>
    some.map(({ id, fence }) => `${id} ${fence}`);
  // No two nodes held the same claim, and a later claim has a higher fence.
  expect(new Set(named(claimed)).size).toBe(claimed.length);
  expect(findOverlaps(tale, logged, leaseMs)).toEqual([]);
  const claims = Map.groupBy(claimed, ({ id }) => id);
  const stale = settled.filter(({ id, fence, before }) =>
    claims.get(id)?.some((later) => later.fence > fence && later.after < before),
  );
  expect(stale).toEqual([]);
  // Every settlement is recorded, and a node that had lost its claim changed nothing.
  expect(named(settled).filter((name) => !logged.has(name))).toEqual([]);
  const acknowledged = lost.filter(({ id, fence }) => logged.has(`${id} ${fence}`));
  if (!mayLoseAnswers) expect(acknowledged).toEqual([]);
  // If Redis died before it could answer, another node may have held the claim in the meantime.
  const superseded = ({ id, fence }: Settled): boolean =>
    claims.get(id)?.some((later) => later.fence > fence) === true;
  expect(acknowledged.filter((one) => !superseded(one))).toEqual([]);
  return logged;
}

test("kill -9 of nodes under load: nothing is lost, and no claim is held twice", async () => {
  const { queue, tale, start, until, workers } = await begin([]);
  const kills = repeats(30);
  let freezes = 0;
  for (let round = 0; round < kills; round++) {
    const said = tale.claimed.length;
    await until(() => tale.claimed.length > said + 40);
    const victim = round % nodes;
    if (round % 4 === 3) {
      freezes++;
      // Like a machine that was suspended: it comes back with expired leases.
      const frozen = (victim + 1) % nodes;
      workers[frozen]?.freeze();
      await new Promise((resolve) => setTimeout(resolve, leaseMs * 1.3));
      workers[frozen]?.thaw();
    }
    await workers[victim]?.kill();
    workers[victim] = start();
  }
  expect(await Promise.all(workers.map((worker) => worker.drain()))).toEqual(Array(nodes).fill(0));
  expect(tale.others).toEqual([]);
  expect(tale.added.length).toBeGreaterThan(kills);

  const logged = await checkAll(queue, tale);
  const duplicates = tale.claimed.length - logged.size;
  expect(duplicates).toBeLessThanOrEqual((kills + freezes) * inFlight);
}, 600_000);

test("kill -9 of Redis under load, with appendfsync always: nothing accepted or settled is lost", async () => {
  const args = ["--appendonly", "yes", "--appendfsync", "always"];
  const { redis, queue, tale, until, workers } = await begin(args);
  for (let round = 0; round < repeats(4); round++) {
    const said = tale.settled.length;
    await until(() => tale.settled.length > said + 100);
    await redis.kill();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await redis.start();
  }
  const said = tale.settled.length;
  await until(() => tale.settled.length > said + 50);
  expect(await Promise.all(workers.map((worker) => worker.drain()))).toEqual(Array(nodes).fill(0));
  expect(tale.others.filter((line) => !line.startsWith("refused Redis ("))).toEqual([]);
  await checkAll(queue, tale, true);
}, 600_000);
