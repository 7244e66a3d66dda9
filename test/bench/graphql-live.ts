import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdminClient } from "../../src/operations/client.ts";
import { type Figure, toFigure } from "./figures.ts";
import { type Subscriber, subscribers, type Way } from "./graphql-subscribers.ts";
import { addAccount, openAdmin, setLimit } from "./live-accounts.ts";
import { openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import type { Server } from "./server.ts";

/** Each account has 50 subscribers and a tenth of the events. */
const accounts = 10;
const listeners = 50;

const query = "subscription { events(types: [ACCOUNT_UPDATED]) { data } }";

/** Events are numbered by the account's limit, starting above this one. */
const lowest = 20_000;

interface Measured {
  kilobytes: number;
  perSecond: number;
  cpuMicros: number;
  /** Messages that were lost, repeated or out of order. */
  faults: number;
}

/** Opens 500 live subscriptions and publishes 10,000 events, each to the subscribers of its account. */
export async function live({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const events = quick ? 1000 : 10_000;
  const rounds: Record<Way, Measured[]> = { WebSocket: [], "event stream": [] };
  for (const way of ["WebSocket", "event stream"] as const)
    for (let round = 0; round < (quick || way === "event stream" ? 1 : 2); round++) {
      const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
      const env = { PENKNIFE_LOG_LEVEL: "error" };
      const own = join(folder, "own");
      mkdirSync(own);
      const server = await openPenknife(own, command, env);
      try {
        const measured = await measure(server, join(own, "data"), way, events / accounts);
        rounds[way].push(measured);
        say(`${way}: ${JSON.stringify(measured)}`);
      } finally {
        await server.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }
  return Object.entries(rounds).flatMap(([way, all]) => toFigures(way, events, all));
}

function toFigures(way: string, events: number, rounds: readonly Measured[]): Figure[] {
  const name = `${accounts * listeners} subscribers, ${way}`;
  const of = (field: keyof Measured): number[] => rounds.map((round) => round[field]);
  return [
    toFigure(
      "graphql",
      `${name}, memory of each`,
      "KB",
      of("kilobytes"),
      way === "WebSocket" ? { atMost: 60 } : {},
    ),
    toFigure("graphql", `${name}, messages`, "a second", of("perSecond")),
    toFigure("graphql", `${name}, CPU a message`, "µs", of("cpuMicros")),
    toFigure(
      "graphql",
      `${name}, of ${events * listeners} lost, doubled or out of order`,
      "messages",
      of("faults"),
      { atMost: 0 },
    ),
  ];
}

async function measure(server: Server, data: string, way: Way, events: number): Promise<Measured> {
  const admin = await openAdmin(join(data, "penknife.sock"));
  try {
    const keys = await Promise.all(Array.from({ length: accounts }, (_, at) => addAccount(admin, at)));
    // The first subscriptions load and compile code, which must not count as memory per subscription.
    const first = await Promise.all(keys.map((key) => open(server, way, key)));
    await tellOnce(admin, first);
    await Promise.all(first.map(({ subscriber }) => subscriber.close()));
    await sleep(1000);

    const before = server.residentKilobytes();
    const all: Listener[] = [];
    for (const [account, key] of keys.entries())
      all.push(
        ...(await Promise.all(Array.from({ length: listeners }, () => open(server, way, key, account)))),
      );
    await tellOnce(admin, all);
    await sleep(1000);
    const kilobytes = (server.residentKilobytes() - before) / all.length;

    for (const listener of all) listener.begin();
    const cpu = server.cpuSeconds();
    const began = performance.now();
    await Promise.all(keys.map((_, account) => deliverEvents(admin, account, events)));
    await received(all, events);
    const seconds = (performance.now() - began) / 1000;
    const messages = events * all.length;
    const cpuMicros = ((server.cpuSeconds() - cpu) * 1e6) / messages;
    const faults = all.reduce((sum, listener) => sum + listener.faults(), 0);
    await Promise.all(all.map(({ subscriber }) => subscriber.close()));
    return { kilobytes, perSecond: messages / seconds, cpuMicros, faults };
  } finally {
    admin.close();
  }
}

interface Listener {
  account: number;
  subscriber: Subscriber;
  /** Events received so far. */
  count(): number;
  /** Starts to count faults: from now on each event must have the number after the previous one. */
  begin(): void;
  faults(): number;
}

async function open(server: Server, way: Way, key: string, account = 0): Promise<Listener> {
  let [count, last, faults] = [0, Number.NaN, 0];
  let ended: string | undefined;
  const subscriber = await subscribers[way]({
    origin: server.origin,
    key,
    query,
    onData(data) {
      const { events } = data as { events: { data: { account: { limit: number } } } };
      const { limit } = events.data.account;
      if (limit !== last + 1) faults++;
      last = limit;
      count++;
    },
    onFault: (reason) => void (ended ??= reason),
  });
  return {
    account,
    subscriber,
    count() {
      if (ended !== undefined) throw new Error(`a subscription ended: ${ended}`);
      return count;
    },
    begin: () => void ([count, last, faults] = [0, lowest, 0]),
    faults: () => faults,
  };
}

/** Publishes events until every subscriber has received one, which proves that all are connected. */
async function tellOnce(admin: AdminClient, all: readonly Listener[]): Promise<void> {
  for (let attempt = 0; all.some((listener) => listener.count() === 0); attempt++) {
    if (attempt === 100) throw new Error("not every subscriber receives events");
    for (let at = 0; at < accounts; at++) await setLimit(admin, at, lowest - 10 - (attempt % 2));
    await sleep(50);
  }
}

async function deliverEvents(admin: AdminClient, account: number, events: number): Promise<void> {
  for (let event = 1; event <= events; event++) await setLimit(admin, account, lowest + event);
}

/** Waits until all messages have arrived, or none for five seconds; those still missing are lost. */
async function received(all: readonly Listener[], events: number): Promise<void> {
  const wanted = events * all.length;
  const sum = (): number => all.reduce((total, listener) => total + listener.count(), 0);
  for (let [count, quiet] = [sum(), 0]; count < wanted;) {
    await sleep(10);
    const next = sum();
    quiet = next === count ? quiet + 10 : 0;
    if (quiet > 5000) throw new Error(`${wanted - count} of ${wanted} messages were lost`);
    count = next;
  }
}
