import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { penknife as commandLine } from "../cli/host.ts";
import { startRedis } from "../storage/redis-server.ts";
import { startFleet } from "./fleet.ts";
import { emptyFolder, serve } from "./harness.ts";
import { metricOf, openSocket } from "./operate.ts";
import { duplicatesIn, openEventReceiver, type EventReceiver, wrongIn } from "./event-receiver.ts";
import type { PublisherTask } from "./webhook-publisher.ts";
import { repeats } from "../../support/cases.ts";

const kills = repeats(30);
/** `webhooks.perEndpoint`: most deliveries in flight to one endpoint at a kill. */
const inFlight = 8;
const nodes = 3;
const env = {
  PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8",
  // The shortest: deliveries of a killed node wait for their lease.
  PENKNIFE_WEBHOOKS_TIMEOUT_MS: "3000",
};

/** Opens a fast receiver, a slow one, and one that fails now and then. */
async function openReceivers(): Promise<EventReceiver[]> {
  const all = await Promise.all([openEventReceiver(1), openEventReceiver(25), openEventReceiver(10, 7)]);
  onTestFinished(async () => {
    await Promise.all(all.map(({ receiver }) => receiver.close()));
  });
  return all;
}

/** Waits until `count` more events have been accepted: a busy machine accepts few in a given time. */
async function progress(accepted: readonly number[], count: number): Promise<void> {
  const enough = accepted.length + count;
  await expect.poll(() => accepted.length, { timeout: 120_000, interval: 10 }).toBeGreaterThanOrEqual(enough);
}

const hasAll = (all: readonly EventReceiver[], accepted: readonly number[]): boolean =>
  all.every(({ taken }) => accepted.every((number) => taken.has(number)));

function expectNoLoss(all: readonly EventReceiver[], accepted: readonly number[], limit: number): void {
  for (const receiver of all) {
    expect(wrongIn(receiver, accepted)).toEqual([]);
    expect(duplicatesIn(receiver)).toBeLessThanOrEqual(limit);
  }
}

it(`loses no event when the server is killed under load, and repeats few (file store; kills: ${kills})`, async () => {
  const folder = emptyFolder();
  onTestFinished(folder.remove);
  const all = await openReceivers();
  let server = await serve(folder.path, env);
  onTestFinished(async () => void (await server.stop()));
  let socket = await openSocket(folder.path);
  await socket.call("accounts.create", { name: "acme", plan: "team" });
  for (const { receiver } of all)
    await socket.call("webhooks.add", { account: "acme", url: `${receiver.url}/hook` });

  const accepted: number[] = [];
  let next = 20_000;
  for (let kill = 0; kill < kills; kill++) {
    let going = true;
    const writers = Array.from({ length: 4 }, async () => {
      while (going) {
        const limit = next++;
        const done = await socket.call("accounts.set", { name: "acme", limit }).then(
          () => true,
          () => false,
        );
        // An acknowledged change has an event, whatever happens next.
        if (!done) return;
        accepted.push(limit);
      }
    });
    await progress(accepted, 3 + ((kill * 5) % 9));
    server.child.kill("SIGKILL");
    going = false;
    await Promise.all(writers);
    socket.close();
    await server.stop("SIGKILL");
    server = await serve(folder.path, env);
    socket = await openSocket(folder.path);
  }
  socket.close();
  await expect.poll(() => hasAll(all, accepted), { timeout: 120_000 }).toBe(true);
  await expect
    .poll(() => metricOf(server, "penknife_webhook_queue_depth"), { timeout: 120_000, interval: 100 })
    .toBe(0);
  expectNoLoss(all, accepted, kills * inFlight);
  expect(await server.stop()).toBe(0);
}, 600_000);

/** Starts a process that publishes events, and collects the numbers of those that were accepted. */
function startPublisher(task: Omit<PublisherTask, "account" | "first">, accepted: number[]) {
  const script = new URL("webhook-publisher.ts", import.meta.url).pathname;
  const whole: PublisherTask = { ...task, account: "acme", first: 20_000 + 100_000 * starts++ };
  const child = spawn(process.execPath, [script, JSON.stringify(whole)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    // The kill may cut the last line off.
    const lines = (text + data.toString()).split("\n");
    text = lines.pop() ?? "";
    accepted.push(...lines.map(Number));
  });
  const closed = once(child, "close");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(end);
  return { end };
}
let starts = 0;

it(`loses no event when a process that accepts and sends hundreds a second is killed (file store; kills: ${kills})`, async () => {
  const folder = emptyFolder();
  onTestFinished(folder.remove);
  const all = await openReceivers();
  const data = join(folder.path, "penknife-data");
  const admin = async (...words: string[]): Promise<void> => {
    const { status, stderr } = await commandLine(["admin", ...words], {
      env: { ...env, PENKNIFE_STORAGE_PATH: data },
    });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
  };
  await admin("accounts", "create", "acme", "--plan", "team");
  for (const { receiver } of all) await admin("webhooks", "add", `${receiver.url}/hook`, "--account", "acme");
  const accepted: number[] = [];
  const task = { driver: "file", place: data, writers: 4 } as const;
  for (let kill = 0; kill < kills; kill++) {
    const publisher = startPublisher(task, accepted);
    await progress(accepted, 20 + ((kill * 7) % 30));
    await publisher.end();
  }
  startPublisher({ ...task, writers: 0 }, []);
  await expect.poll(() => hasAll(all, accepted), { timeout: 120_000 }).toBe(true);
  expectNoLoss(all, accepted, kills * inFlight);
}, 600_000);

// Every fourth kill is one of the publisher: `make test-long` alone has as many.
it(`loses no event when servers and their publisher are killed (${nodes} nodes on Redis; kills: ${kills})`, async () => {
  const redis = await startRedis(["--appendonly", "yes"]);
  onTestFinished(() => redis.close());
  const all = await openReceivers();
  const fleet = await startFleet(redis.url, nodes, env);
  onTestFinished(() => fleet.close());
  await fleet.operate(async (call) => {
    await call("accounts.create", { name: "acme", plan: "team" });
    for (const { receiver } of all)
      await call("webhooks.add", { account: "acme", url: `${receiver.url}/hook` });
  });

  const accepted: number[] = [];
  // It also publishes while servers start: their number of events depends on the machine.
  const task = { driver: "redis", place: redis.url, writers: 4, pauseMs: 20 } as const;
  let publisher = startPublisher(task, accepted);
  for (let kill = 0; kill < kills; kill++) {
    await progress(accepted, 5 + (kill % 5) * 4);
    if (kill % 4 === 3) {
      await publisher.end();
      publisher = startPublisher(task, accepted);
    } else await fleet.replace(kill % nodes, "SIGKILL");
  }
  await publisher.end();
  // Deliveries in flight on a killed node are claimed by another when their lease expires.
  await expect.poll(() => hasAll(all, accepted), { timeout: 120_000 }).toBe(true);
  await expect
    .poll(() => fleet.metric(0, "penknife_webhook_queue_depth"), { timeout: 120_000, interval: 100 })
    .toBe(0);
  expectNoLoss(all, accepted, kills * inFlight);
}, 600_000);
