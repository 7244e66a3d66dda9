// A node that enqueues events and attempts deliveries until it is killed: `queue-worker.ts URL PREFIX LEASE IN_FLIGHT`. After `drain` on
// standard input it enqueues nothing more, and exits when the queue is empty.
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { formatUuids } from "../../../../src/lib/uuid/format.ts";
import { unixUuids } from "../../../../src/lib/uuid/timed.ts";
import type { Claim } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { createRedisQueue } from "../../../../src/storage/redis/deliveries.ts";
import { openConnection, queueDefaults } from "./open-connection.ts";

// A process that is killed would not keep what it compiled for the next one.
flushCompileCache();

const [url = "", prefix = "", lease, inFlight] = process.argv.slice(2);
const leaseMs = Number(lease);
// Synchronous, so that the output has left the process before anything else happens.
const say = (...words: (string | number)[]) => writeSync(1, `${words.join(" ")}\n`);

const connection = await openConnection(url, prefix);
const queue = createRedisQueue({
  ...connection,
  ...queueDefaults,
  circuit: { after: 1_000_000, everyMs: 1 },
});
let draining = false;
process.stdin.on("data", () => (draining = true));
say("ready");

async function accept(): Promise<void> {
  while (!draining) {
    const id = `evt_${formatUuids(unixUuids(1, Date.now(), (size) => randomBytes(size)))}`;
    const event = { id, type: "webhook.test", account: "acme", body: `{"id":"${id}"}` };
    try {
      for (const delivery of await queue.add(event, ["we_a", "we_b"])) say("added", delivery.id, id);
      if ((await queue.stats()).depth > 300) await sleep(20);
    } catch (error) {
      say("refused", (error as Error).message);
      await sleep(50);
    }
  }
}

async function deliver({ delivery, fence }: Claim): Promise<void> {
  const at = Date.now();
  await sleep(Math.random() * 15);
  const fails = Math.random() < 0.3;
  // The fence, so that the log shows to which claim an attempt belongs.
  const attempt = { number: delivery.attempts + 1, at, durationMs: 1, excerpt: String(fence) } as const;
  const before = Date.now();
  try {
    const health = await queue.settle(
      { delivery, fence, body: "" },
      fails
        ? { attempt: { ...attempt, outcome: "retry" }, state: "waiting", nextAt: Date.now() + 30 }
        : { attempt: { ...attempt, outcome: "ok" }, state: "delivered" },
    );
    say(health === undefined ? "lost" : "settled", delivery.id, fence, before);
  } catch (error) {
    say("unsettled", delivery.id, (error as Error).message);
  }
}

async function work(): Promise<void> {
  for (;;) {
    try {
      const before = Date.now();
      const claims = await queue.claim({ count: Number(inFlight), leaseMs });
      const after = Date.now();
      for (const { delivery, fence, body } of claims)
        say(
          "claimed",
          delivery.id,
          fence,
          before,
          after,
          body === `{"id":"${delivery.event}"}` ? "whole" : body,
        );
      await Promise.all(claims.map(deliver));
      if (draining && claims.length === 0 && (await queue.stats()).depth === 0) return;
      if (claims.length === 0) await sleep(10);
    } catch {
      await sleep(50);
    }
  }
}

await Promise.all([accept(), work()]);
await queue.close();
connection.close();
process.stdin.destroy();
