import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDeliveryIds } from "../../src/storage/deliveries/delivery-ids.ts";
import type { DeliveryQuery } from "../../src/storage/deliveries/delivery-queue.ts";
import { createNewest } from "../../src/storage/deliveries/newest.ts";
import { createEndedLog, type EndedLog, toEndedEntry } from "../../src/storage/history/ended-log.ts";
import { createHistoryUsage } from "../../src/storage/history/usage.ts";
import { openFileInbox } from "../../src/storage/inbox/file-inbox.ts";
import type { InboxStore } from "../../src/storage/inbox/inbox-store.ts";
import { hourMs, keptMs, type UsageStore } from "../../src/storage/usage/usage-store.ts";
import { openHistory, openQueue } from "../support/history.ts";
import { makeEvent } from "../unit/storage/deliveries/conformance.ts";
import { usageRow } from "../unit/storage/usage/usage-row.ts";
import { type Figure, median, ratios, type Target, toFigure } from "./figures.ts";
import type { PartOptions } from "./part.ts";
import { runtime } from "./scale-stores.ts";

/** The cost of what a folder keeps besides records, where it is much, beside the same where it is little, in CPU time. */
export async function scaleHistory(options: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  try {
    return [
      ...(await ofUsage(join(folder, "a"), options)),
      ...(await ofEnded(join(folder, "b"), options)),
      ...(await ofInboxes(join(folder, "c"), options)),
      ...(await ofQueue(join(folder, "d"), options)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A history of its own, which ends with `work`. */
async function withHistory<T>(
  folder: string,
  work: (history: ReturnType<typeof openHistory>) => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const history = openHistory(folder, fail);
  try {
    return await work(history);
  } finally {
    await history.close();
  }
}

async function ofUsage(folder: string, { quick, say }: PartOptions): Promise<Figure[]> {
  const accounts = quick ? 10 : 100;
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const fill = async (usage: UsageStore, busy: number): Promise<void> => {
    for (let hour = now - keptMs; hour < now; hour += hourMs) {
      const rows = Array.from({ length: busy }, (_, n) => usageRow(`a${n}`, "key_1", "uuid", { ok: 1 }));
      await usage.add({ id: String(hour), hour, rows });
    }
  };
  const read = async (usage: UsageStore): Promise<void> => {
    let rows = 0;
    for await (const { account } of usage.read(now - keptMs, now, "a0")) if (account === "a0") rows += 1;
    if (rows !== keptMs / hourMs) throw new Error(`${rows} rows were found`);
  };
  say(`usage of ${accounts} accounts over 90 days`);
  return withHistory(join(folder, "many"), (many) =>
    withHistory(join(folder, "one"), async (one) => {
      const [large, small] = [createHistoryUsage(many), createHistoryUsage(one)];
      await fill(large, accounts);
      await fill(small, 1);
      const what = `files, usage of one of ${accounts} busy accounts over 90 days`;
      const figure = await compare(
        what,
        quick ? 3 : 9,
        () => read(large),
        () => read(small),
        { atMost: 2 },
      );
      return [figure];
    }),
  );
}

async function ofEnded(folder: string, { quick, say }: PartOptions): Promise<Figure[]> {
  const size = quick ? 10_000 : 300_000;
  const now = Date.now();
  const fill = async (ended: EndedLog, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 500)
      await ended.append(
        Array.from({ length: 500 }, (_, n) => {
          const createdAt = now + at + n;
          return toEndedEntry({
            id: makeDeliveryIds(1, createdAt, runtime.random)[0] as string,
            event: makeEvent(createdAt).id,
            type: `type.${n % 10}`,
            account: `a${n % 20}`,
            endpoint: `we_${n % 40}`,
            state: n % 5 === 0 ? "failed" : "delivered",
            attempts: 1,
            createdAt,
            since: createdAt,
            endedAt: createdAt,
            log: [{ number: 1, at: createdAt, durationMs: 1, outcome: "ok" }],
            body: "x".repeat(500),
          });
        }),
      );
  };
  const page = async (ended: EndedLog, filter: Partial<DeliveryQuery>): Promise<void> => {
    const query = { ...filter, limit: 50 };
    for (let times = 0; times < 20; times++) {
      const newest = createNewest(query);
      await ended.search(query, newest, () => false);
      if (newest.items().length === 0) throw new Error("no delivery was found");
    }
  };
  say(`${size} ended deliveries`);
  return withHistory(join(folder, "many"), (many) =>
    withHistory(join(folder, "few"), async (few) => {
      const [large, small] = [createEndedLog(many, fail), createEndedLog(few, fail)];
      await fill(large, size);
      await fill(small, 1_000);
      const figures: Figure[] = [];
      for (const filter of [
        {},
        { account: "a0" },
        { state: "failed" },
        { type: "type.3", account: "a3" },
      ] as const) {
        const what = `files, page of 50 of ${size} ended deliveries ${JSON.stringify(filter)}`;
        figures.push(
          await compare(
            what,
            quick ? 3 : 9,
            () => page(large, filter),
            () => page(small, filter),
            {
              atMost: 1.5,
            },
          ),
        );
      }
      return figures;
    }),
  );
}

async function ofInboxes(folder: string, { quick, say }: PartOptions): Promise<Figure[]> {
  const most = quick ? 1_000 : 10_000;
  const kept = (messages: number) => ({ messages, ms: 1e9, bytes: 1e9 });
  const [full, small] = ["in_".padEnd(35, "a"), "in_".padEnd(35, "b")] as const;
  mkdirSync(folder);
  const store = openFileInbox(folder, { runtime, onError: fail });
  let made = 0;
  const add = (inbox: string, count: number, messages: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, () => {
        const id = `msg_${made++}`;
        const message: Parameters<InboxStore["add"]>[1] = {
          id,
          event: id,
          at: Date.now(),
          method: "POST",
          query: "",
          headers: [],
          signature: "valid",
          body: Buffer.alloc(200),
        };
        return store.add(inbox, message, kept(messages));
      }),
    );
  say(`an inbox of ${most} messages`);
  try {
    for (let at = 0; at < most; at += 500) await add(full, 500, most);
    await add(small, 100, 100);
    const what = `files, message at ${most} kept, beside 100`;
    const one = () => add(full, 100, most);
    return [await compare(what, quick ? 3 : 9, one, () => add(small, 100, 100), { atMost: 1.3 })];
  } finally {
    await store.close();
  }
}

/** The most CPU time of this process in one turn of its event loop while a queue is opened. */
async function ofQueue(folder: string, { quick, say }: PartOptions): Promise<Figure[]> {
  const size = quick ? 10_000 : 100_000;
  const options = { runtime, perEndpoint: 8, circuit: { after: 5, everyMs: 60_000 }, onError: fail };
  mkdirSync(folder);
  say(`a queue of ${size} waiting deliveries`);
  const queue = await openQueue(folder, options);
  for (let at = 0; at < size; at += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, () => queue.add(makeEvent(Date.now()), ["we_a"])));
  await queue.close();
  const blocks: number[] = [];
  let isOpen = false;
  let since = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(since);
    blocks.push((user + system) / 1_000);
    since = process.cpuUsage();
    if (!isOpen) setImmediate(look);
  };
  setImmediate(look);
  const again = await openQueue(folder, options);
  isOpen = true;
  await again.close();
  return [
    toFigure("scale", `files, longest turn while ${size} deliveries are read`, "ms", [Math.max(...blocks)], {
      atMost: 50,
    }),
  ];
}

async function compare(
  what: string,
  rounds: number,
  large: () => Promise<unknown>,
  small: () => Promise<unknown>,
  target: Target,
): Promise<Figure> {
  const many: number[] = [];
  const few: number[] = [];
  await cpuOf(small);
  await cpuOf(large);
  for (let round = 0; round < rounds; round++) {
    few.push(await cpuOf(small));
    many.push(await cpuOf(large));
  }
  const cost = `${median(many).toFixed(2)} ms of CPU, ${median(few).toFixed(2)} with little`;
  return toFigure("scale", `${what} (${cost})`, "×", [median(ratios(many, few))], target);
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const since = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

function fail(error: unknown): never {
  throw error;
}
