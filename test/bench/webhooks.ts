import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../config/free-port.ts";
import { type RedisServer, startRedis } from "../system/storage/redis-server.ts";
import { toFigure, type Figure } from "./figures.ts";
import type { PartOptions } from "./part.ts";
import { residentKilobytesOf } from "./server.ts";
import { timeStart } from "./start-time.ts";
import { openReceiver, type Receiver } from "./webhook-receiver.ts";
import { openSite, type Site } from "./webhook-site.ts";

/** Throughput of the webhook queue on one node, and the cost of a full queue. */
export async function webhooks({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
  const redis = await startRedis(["--appendonly", "yes"]);
  const receiver = await openReceiver();
  const rounds = quick ? 2 : 5;
  const figures: Figure[] = [];
  try {
    for (const store of ["file", "redis"] as const) {
      const open = (name: string): Promise<Site> => {
        const path = join(folder, `${store}-${name}`);
        mkdirSync(path);
        const site = { folder: path, command, driver: store, url: redis.url, prefix: `${name}:` };
        return openSite({ ...site, receiver: receiver.url });
      };
      const sending = await open("sending");
      await sending.addAccount("sending", 8);
      figures.push(
        ...(await measureFlow(sending, receiver, { store, rounds, events: quick ? 500 : 2500 }, say)),
      );
      const sites = { full: await open("full"), empty: await open("empty"), redis };
      const waiting = quick ? 20_000 : 100_000;
      figures.push(...(await measureWaiting(sites, { store, rounds, waiting }, say)));
    }
    return figures;
  } finally {
    await receiver.close();
    await redis.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Flow {
  store: "file" | "redis";
  rounds: number;
  events: number;
}

/** One process enqueues events with eight endpoints each; then a server delivers them. */
async function measureFlow(
  site: Site,
  receiver: Receiver,
  { store, rounds, events }: Flow,
  say: PartOptions["say"],
): Promise<Figure[]> {
  const accepted: number[] = [];
  const alone: number[] = [];
  const delivered: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const few = Math.max(50, events / 10);
    alone.push(few / (await site.publish("sending", few, 1)).seconds);
    const { seconds, deliveries } = await site.publish("sending", events, 64);
    accepted.push(events / seconds);
    if (deliveries !== events * 8) throw new Error(`${deliveries} deliveries of ${events} events`);
    const expected = deliveries + few * 8;
    receiver.forget();
    const port = await freePort();
    await timeStart(site.serve(port), port, site.folder, {
      env: site.env,
      async during() {
        await receiver.received(expected, 120_000);
        // The next round begins with an empty queue.
        while ((await queueOf(port)) > 0) await sleep(20);
      },
    });
    delivered.push((expected - 1) / receiver.seconds());
    say(
      `${store}: ${Math.round(accepted[round] ?? 0)} accepted and ${Math.round(delivered[round] ?? 0)} delivered a second`,
    );
  }
  return [
    toFigure("webhooks", `${store}, events accepted a second, one writer`, "a second", alone),
    toFigure("webhooks", `${store}, events accepted a second, 64 writers`, "a second", accepted),
    toFigure("webhooks", `${store}, deliveries a second`, "a second", delivered),
  ];
}

interface Look {
  /** Milliseconds from exec to the open queue. */
  opened: number;
  megabytes: number;
}

/** A server with this many events waiting for a paused endpoint, and one with none. */
async function measureWaiting(
  { full, empty, redis }: { full: Site; empty: Site; redis: RedisServer },
  { store, rounds, waiting }: { store: "file" | "redis"; rounds: number; waiting: number },
  say: PartOptions["say"],
): Promise<Figure[]> {
  await full.addAccount("waiting", 1, { paused: true });
  const timeFirst = async (site: Site): Promise<number> => {
    const port = await freePort();
    return timeStart(site.serve(port), port, site.folder, { env: site.env });
  };
  const look = async (site: Site): Promise<Look> => {
    const port = await freePort();
    let megabytes = Number.NaN;
    let opened = Number.NaN;
    const began = performance.now();
    await timeStart(site.serve(port), port, site.folder, {
      env: site.env,
      async during({ pid }) {
        await queueOf(port);
        opened = performance.now() - began;
        await sleep(1500);
        megabytes = residentKilobytesOf(pid ?? 0) / 1024;
      },
    });
    return { opened, megabytes };
  };
  const ofRedis = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(String(await redis.command("INFO", "memory")))?.[1]) / 2 ** 20;

  const before = await ofRedis();
  say(`${store}: ${waiting} events`);
  await full.publish("waiting", waiting, 256);
  const after = await ofRedis();
  const times: { full: number; empty: number }[] = [];
  // The first run fills the page cache.
  for (let round = -1; round < rounds * 3; round++) {
    const time = { empty: await timeFirst(empty), full: await timeFirst(full) };
    if (round >= 0) times.push(time);
  }
  const looks: { full: Look; empty: Look }[] = [];
  for (let round = 0; round < rounds; round++)
    looks.push({ empty: await look(empty), full: await look(full) });

  const per100k = 100_000 / waiting;
  const added = looks.map((one) => (one.full.megabytes - one.empty.megabytes) * per100k);
  return [
    toFigure("webhooks", `${store}, memory of the server for 100,000 events that wait`, "MB", added),
    ...(store === "redis"
      ? [
          toFigure("webhooks", "redis, memory of Redis for 100,000 events that wait", "MB", [
            (after - before) * per100k,
          ]),
        ]
      : []),
    toFigure(
      "webhooks",
      `${store}, exec to first answer with ${waiting} waiting / with none`,
      "×",
      times.map((time) => time.full / time.empty),
      { atMost: 1.25 },
    ),
    toFigure(
      "webhooks",
      `${store}, exec to an open queue with ${waiting} waiting`,
      "ms",
      looks.map((one) => one.full.opened),
    ),
    toFigure(
      "webhooks",
      `${store}, the same with none`,
      "ms",
      looks.map((one) => one.empty.opened),
    ),
  ];
}

/** Waits until the server has loaded its queue; returns the queue's length. */
async function queueOf(port: number): Promise<number> {
  for (let attempt = 0; attempt < 2000; attempt++) {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    const [, depth] = /^penknife_webhook_queue_depth (\d+)/m.exec(text) ?? [];
    if (depth !== undefined) return Number(depth);
    await sleep(10);
  }
  throw new Error("the queue did not open");
}
