import { describe, expect, test } from "vitest";
import type { Store } from "../../../../src/storage/storage.ts";
import { noCounts } from "../../../../src/storage/usage/usage-store.ts";
import { drivers, optionsOf } from "../../storage/drivers.ts";
import { account, key } from "../../../support/records.ts";
import { type Data, openLiveSurface } from "../../../unit/surfaces/graphql/live-surface.ts";

// The cost of one page where there are thousands of its records.
const many = 1500;

const numbered = (n: number, digits = 20): string => String(n).padStart(digits, "0");
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Counts the calls of these methods from now on. */
function countCalls<T extends object>(of: T, ...names: (keyof T & string)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const method = of[name] as (...args: unknown[]) => unknown;
    counts[name] = 0;
    of[name] = ((...args: unknown[]) => {
      counts[name] = (counts[name] ?? 0) + 1;
      return method.apply(of, args);
    }) as T[typeof name];
  }
  return counts;
}

/** The lowest CPU time of five runs, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < 5; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return Math.min(...costs);
}

/** Reads all pages; each has at most `first` items. */
async function walk(
  first: number,
  read: (after: string | undefined) => Promise<{ ids: string[]; after: string | undefined }>,
): Promise<string[]> {
  const all: string[] = [];
  for (let next: string | undefined; ;) {
    const { ids, after } = await read(next);
    expect(ids.length).toBeLessThanOrEqual(first);
    all.push(...ids);
    if (after === undefined) return all;
    next = after;
  }
}

/** A page of a connection, as `walk` takes it. */
const pageOf = ({ nodes, pageInfo }: Data) => ({
  ids: (nodes as { id?: string; name: string }[]).map(({ id, name }) => id ?? name),
  after: pageInfo.hasNextPage ? (pageInfo.endCursor as string) : undefined,
});

test("thousands of keys are read in pages, each at the price of one list and one report of usage", async () => {
  const { get, ask, store } = await openLiveSurface();
  for (let n = 0; n < many; n++) await store.keys.set(numbered(n), key(numbered(n), { name: `key ${n}` }));
  const usage = await store.usage();
  const row = { ...noCounts(), account: "acme", tool: "uuid", ok: 1 };
  const rows = times(many, (n) => ({ ...row, key: `key_${numbered(n)}` }));
  await usage.add({ id: "1", hour: Math.floor(Date.now() / 3_600_000) * 3_600_000, rows });
  const query = `query ($first: Int!, $after: ID, $search: String) {
    keysConnection(first: $first, after: $after, search: $search) {
      totalCount pageInfo { hasNextPage endCursor } warnings { warning keys }
      nodes { id name start state createdAt expiresAt lastUsedAt requestsLast24h warnings }
    } }`;
  const read = async (variables: object) => (await get("session", query, { ...variables })).keysConnection;
  const ids = await walk(1000, async (after) => pageOf(await read({ first: 1000, after })));
  expect(ids).toEqual(times(many, (n) => `key_${numbered(many - 1 - n)}`));
  expect((await ask("session", query, { first: 1001 })).errors).toMatchObject([{ code: "invalid_input" }]);

  const keys = countCalls(store.keys, "of", "all", "ids", "get", "lookup");
  const accounts = countCalls(store.accounts, "all", "ids");
  const usages = countCalls(usage, "read");
  const page = await read({ first: 100, after: ids[many / 2] });
  expect(page.nodes).toHaveLength(100);
  expect(page.nodes[0]).toMatchObject({ id: ids[many / 2 + 1], requestsLast24h: 1 });
  expect(page.totalCount).toBe(many);
  expect([keys, accounts, usages]).toEqual([
    { of: 1, all: 0, ids: 0, get: 0, lookup: 0 },
    { all: 0, ids: 0 },
    { read: 1 },
  ]);
  const list = await cpuOf(async () => [await store.keys.all(), await usage.read(0, Date.now())]);
  const costs = [
    await cpuOf(() => read({ first: 100 })),
    await cpuOf(() => read({ first: 100, after: ids.at(-101) })),
    await cpuOf(() => read({ first: 100, search: "KEY 77" })),
  ];
  for (const cost of costs) expect(cost).toBeLessThan(6 * list);
});

test("thousands of accounts are read in pages, each at the price of its own", async () => {
  const { get, store } = await openLiveSurface();
  for (let n = 0; n < many; n++)
    await store.accounts.set(`a${numbered(n, 5)}`, account(`a${numbered(n, 5)}`));
  const query = `query ($first: Int!, $after: ID) { accountsConnection(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { name plan limit disabled createdAt } } }`;
  const read = async (variables: object) =>
    (await get("operator", query, { ...variables })).accountsConnection;
  const names = await walk(1000, async (after) => pageOf(await read({ first: 1000, after })));
  expect(names).toHaveLength(many + 2);
  expect(new Set(names).size).toBe(many + 2);
  const accounts = countCalls(store.accounts, "page", "count", "all", "ids", "get", "lookup");
  const keys = countCalls(store.keys, "all", "get");
  expect((await read({ first: 100, after: `a${numbered(many / 2, 5)}` })).nodes).toHaveLength(100);
  expect([accounts, keys]).toEqual([
    { page: 1, count: 1, all: 0, ids: 0, get: 0, lookup: 0 },
    { all: 0, get: 0 },
  ]);
  const list = await cpuOf(() => store.accounts.all());
  const cost = await cpuOf(() => read({ first: 100, after: `a${numbered(many / 2, 5)}` }));
  expect(cost).toBeLessThan(list);
});

describe.each(drivers)("thousands of deliveries of one endpoint, %s", (driver) => {
  const query = `query ($endpoint: ID, $first: Int!, $after: ID) {
    deliveries(endpoint: $endpoint, first: $first, after: $after) {
      id event type endpoint state attempts createdAt nextAt endedAt reason
    } }`;

  async function addAll({ store, admin }: { store: Store; admin: Data }): Promise<string> {
    const added = { account: "acme", url: "http://127.0.0.1:9/" };
    const { id } = (await admin.call("webhooks.add", added)) as { id: string };
    const queue = await store.deliveries();
    const event = (n: number) => ({
      id: `evt_${numbered(n)}`,
      type: "webhook.test",
      account: "acme",
      body: "{}",
    });
    for (let n = 0; n < many; n += 500)
      await Promise.all(times(500, (offset) => queue.add(event(n + offset), [id])));
    // Half of them have ended.
    for (let ended = 0; ended < many / 2;) {
      const claims = await queue.claim({ count: 500, leaseMs: 600_000 });
      const attempt = { number: 1, at: Date.now(), durationMs: 1, outcome: "ok" as const, status: 200 };
      await Promise.all(claims.map((claim) => queue.settle(claim, { state: "delivered", attempt })));
      ended += claims.length;
    }
    return id;
  }

  test("are read in pages, each delivery once, at the price of one list at most", async () => {
    const surface = await openLiveSurface({
      ...(await optionsOf(driver)),
      webhooks: { perEndpoint: 1000 },
    });
    const { ask, get, store } = surface;
    const endpoint = await addAll(surface);
    const queue = await store.deliveries();
    const read = async (first: number, after?: string): Promise<{ id: string }[]> =>
      (await get("session", query, { endpoint, first, ...(after && { after }) })).deliveries;
    const ids = await walk(1000, async (after) => {
      const page = (await read(1000, after)).map(({ id }) => id);
      return { ids: page, after: page.at(-1) };
    });
    expect(ids).toHaveLength(many);
    expect(new Set(ids).size).toBe(many);
    const most = { endpoint, first: 1001 };
    expect((await ask("session", query, most)).errors).toMatchObject([{ code: "invalid_input" }]);

    const calls = countCalls(queue, "list", "get");
    const middle = ids[many / 2] as string;
    expect((await read(51, middle)).map(({ id }) => id)).toEqual(ids.slice(many / 2 + 1, many / 2 + 52));
    // `after` is looked up twice: whether the caller may name it, and where it is.
    expect(calls).toEqual({ list: 1, get: 2 });
    const list = await cpuOf(() => queue.list({ endpoint, limit: many }));
    const costs = [
      await cpuOf(() => read(51)),
      await cpuOf(() => read(51, middle)),
      await cpuOf(() => read(51, ids.at(-52))),
    ];
    for (const cost of costs) expect(cost).toBeLessThan(3 * list);
  });
});
