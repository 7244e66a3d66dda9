import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AdminClient } from "../../src/operations/client.ts";
import { openRawSocket, toFrame } from "../system/surfaces/graphql/raw-socket.ts";
import { type Figure, toFigure } from "./figures.ts";
import { addAccount, nameOf, openAdmin, setLimit } from "./live-accounts.ts";
import { openPenknife } from "./open.ts";
import type { PartOptions } from "./part.ts";
import type { Server } from "./server.ts";

/** Each account has one signed-in browser with 50 open dashboards, as many as a node allows an account with some room. */
const accounts = 10;
const dashboards = 50;
/** Dashboards come from 127.0.0.2 and up: a node limits the connections of one address. */
const addresses = 8;

/** Events are numbered by the account's limit, starting above this one. */
const lowest = 20_000;

interface Measured {
  kilobytes: number;
  /** Milliseconds from the answer to a call until the last dashboard of its account shows it. */
  lagMs: number[];
  /** Events that were lost, repeated or out of order. */
  faults: number;
}

/**
 * Opens 500 dashboards as browsers do: a WebSocket each, with the cookie of a session. Half of them show the usage, the others
 * the events, as the pages of these names do.
 */
export async function dashboardFigures({ quick, command, say }: PartOptions): Promise<Figure[]> {
  const [calls, events] = quick ? [3, 20] : [10, 200];
  const rounds: Measured[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const folder = mkdtempSync(join(tmpdir(), "penknife-bench-"));
    const server = await openPenknife(folder, command, { PENKNIFE_LOG_LEVEL: "error" });
    try {
      const measured = await measure(server, join(folder, "data"), calls, events);
      rounds.push(measured);
      say(`dashboards: ${JSON.stringify({ ...measured, lagMs: Math.round(Math.max(...measured.lagMs)) })}`);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const name = `${accounts * dashboards} dashboards`;
  return [
    toFigure(
      "web",
      `${name}, memory of each`,
      "KB",
      rounds.map(({ kilobytes }) => kilobytes),
      { atMost: 60 },
    ),
    toFigure(
      "web",
      `${name}, of ${(events * dashboards * accounts) / 2} events lost, doubled or out of order`,
      "messages",
      rounds.map(({ faults }) => faults),
      { atMost: 0 },
    ),
    toFigure(
      "web",
      `${name}, live usage behind the answer`,
      "ms",
      rounds.flatMap(({ lagMs }) => lagMs),
      { atMost: 1000 },
    ),
    toFigure(
      "web",
      `${name}, live usage behind the answer, at most`,
      "ms",
      rounds.map(({ lagMs }) => Math.max(...lagMs)),
    ),
  ];
}

async function measure(server: Server, data: string, calls: number, events: number): Promise<Measured> {
  const admin = await openAdmin(join(data, "penknife.sock"));
  try {
    const owners = await Promise.all(
      Array.from({ length: accounts }, async (_, at) => ({
        key: await addAccount(admin, at),
        cookie: await signIn(server, admin, at),
      })),
    );
    // The first dashboards load and compile code, which must not count as memory of each.
    const first = await Promise.all(owners.map(({ cookie }, at) => open(server, cookie, at)));
    await showAll(admin, first);
    for (const dashboard of first) dashboard.close();
    await sleep(1000);

    const before = server.residentKilobytes();
    const all: Dashboard[] = [];
    for (const [account, { cookie }] of owners.entries())
      all.push(
        ...(await Promise.all(Array.from({ length: dashboards }, () => open(server, cookie, account)))),
      );
    await showAll(admin, all);
    await sleep(1000);
    const kilobytes = (server.residentKilobytes() - before) / all.length;

    for (const dashboard of all) dashboard.begin();
    const watching = all.filter(({ shows }) => shows === "usage");
    const listening = all.filter(({ shows }) => shows === "events");
    const lagMs: number[] = [];
    for (let call = 1; call <= calls; call++) {
      await sleep(Math.random() * 1000);
      lagMs.push(
        ...(await Promise.all(
          owners.map(({ key }, at) =>
            lagOf(
              server,
              key,
              watching.filter(({ account }) => account === at),
              call,
            ),
          ),
        )),
      );
    }
    for (let event = 1; event <= events; event++)
      await Promise.all(owners.map((_, at) => setLimit(admin, at, lowest + event)));
    await until(() => listening.every(({ count }) => count() >= events), "every dashboard has every event");
    const faults = all.reduce((sum, dashboard) => sum + dashboard.faults(), 0);
    for (const dashboard of all) dashboard.close();
    return { kilobytes, lagMs, faults };
  } finally {
    admin.close();
  }
}

/** Calls a tool with a key, and returns how long the slowest of the account's dashboards takes to show it. */
async function lagOf(
  server: Server,
  key: string,
  shown: readonly Dashboard[],
  call: number,
): Promise<number> {
  const answer = await fetch(`${server.origin}/api/tools/json-minifier`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"data":"[1]"}',
  });
  if (answer.status !== 200) throw new Error(`a call was answered with ${answer.status}`);
  await answer.arrayBuffer();
  const at = performance.now();
  await until(() => shown.every(({ used }) => used() >= call), "every dashboard shows the call");
  return Math.max(...shown.map(({ changedAt }) => changedAt())) - at;
}

/** Returns the cookie of a new session. */
async function signIn(server: Server, admin: AdminClient, at: number): Promise<string> {
  const { code } = (await admin.call("login", { account: nameOf(at) })) as { code: string };
  const answer = await fetch(`${server.origin}/session`, {
    method: "POST",
    headers: { origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`the sign-in was answered with ${answer.status}`);
  return cookie.split(";")[0] ?? "";
}

interface Dashboard {
  account: number;
  shows: keyof typeof queries;
  /** Requests of this hour that it shows, and when that changed (`performance.now()`). */
  used(): number;
  changedAt(): number;
  /** Events received so far. */
  count(): number;
  /** Starts to count faults: from now on each event must have the number after the previous one. */
  begin(): void;
  faults(): number;
  close(): void;
}

const queries = {
  usage: "subscription { usage { used limit remaining resetAt } }",
  events: "subscription { events(types: [ACCOUNT_UPDATED]) { data } }",
};

let opened = 0;

async function open(server: Server, cookie: string, account: number): Promise<Dashboard> {
  const { port } = new URL(server.origin);
  const shows = opened % 2 === 0 ? "usage" : "events";
  const localAddress = `127.0.0.${2 + (opened++ % addresses)}`;
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  const raw = await openRawSocket(Number(port), {
    socket,
    headers: { Cookie: cookie, Origin: server.origin },
  });
  if (!raw.head.startsWith("HTTP/1.1 101")) throw new Error(`a dashboard was refused: ${raw.head}`);
  let [count, last, faults, used, changedAt] = [0, Number.NaN, 0, -1, 0];
  let fault: string | undefined;
  let isClosing = false;

  function read({ type, payload }: Record<string, unknown>): void {
    if (type !== "next") throw new Error(JSON.stringify({ type, payload }));
    const { data } = payload as {
      data: { usage?: { used: number }; events?: { data: { account: { limit: number } } } };
    };
    if (data.usage !== undefined && data.usage.used !== used) {
      used = data.usage.used;
      changedAt = performance.now();
    }
    if (data.events === undefined) return;
    const { limit } = data.events.data.account;
    if (limit !== last + 1) faults++;
    last = limit;
    count++;
  }

  async function readAll(): Promise<void> {
    try {
      for (;;) read(await raw.message());
    } catch (error) {
      if (!isClosing) fault = (error as Error).message;
    }
  }

  // A browser answers pings.
  let pings = 0;
  socket.on("data", () => {
    const seen = raw.frames.filter(({ opcode }) => opcode === 9).length;
    for (; pings < seen; pings++) raw.write(toFrame("", { opcode: 10 }));
  });
  raw.send({ type: "connection_init" });
  await raw.message();
  raw.send({ type: "subscribe", id: shows, payload: { query: queries[shows] } });
  void readAll();
  const alive = <Value>(value: Value): Value => {
    if (fault !== undefined) throw new Error(`a dashboard ended: ${fault}`);
    return value;
  };
  return {
    account,
    shows,
    used: () => alive(used),
    changedAt: () => changedAt,
    count: () => alive(count),
    begin: () => void ([count, last, faults] = [0, lowest, 0]),
    faults: () => faults,
    close() {
      isClosing = true;
      socket.destroy();
    },
  };
}

/** Publishes events until every dashboard shows one, and waits for its usage. */
async function showAll(admin: AdminClient, all: readonly Dashboard[]): Promise<void> {
  for (let attempt = 0; all.some(({ count, used }) => count() === 0 && used() < 0); attempt++) {
    if (attempt === 100) throw new Error("not every dashboard receives events");
    for (let at = 0; at < accounts; at++) await setLimit(admin, at, lowest - 10 - (attempt % 2));
    await sleep(50);
  }
}

/** Looks every millisecond, for half a minute. */
async function until(isDone: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!isDone()) {
    if (performance.now() > deadline) throw new Error(`not so after half a minute: ${what}`);
    await sleep(1);
  }
}
