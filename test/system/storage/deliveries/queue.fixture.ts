// A separate process that enqueues events and attempts deliveries until it is killed: `queue.fixture.ts FOLDER IN_FLIGHT`. After `drain` on
// standard input it enqueues nothing more, and exits when the queue is empty.
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { Claim } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { formatUuids } from "../../../../src/lib/uuid/format.ts";
import { unixUuids } from "../../../../src/lib/uuid/timed.ts";
import { openQueue } from "../../../support/history.ts";
import { testRuntime } from "../../../support/runtime.ts";

// A process that is killed would not keep what it compiled for the next one.
flushCompileCache();

const [folder = "", inFlight] = process.argv.slice(2);
// Synchronous, so that the output has left the process before anything else happens.
const say = (...words: (string | number)[]) => writeSync(1, `${words.join(" ")}\n`);

const queue = await openQueue(folder, {
  runtime: testRuntime({ now: Date.now, random: (size) => randomBytes(size) }),
  perEndpoint: 1_000,
  circuit: { after: 1_000_000, everyMs: 1 },
  onError: (error) => say("error", error.reason),
  // Small, so that kills hit the rotation and the compaction of files.
  segmentBytes: 20_000,
});
let draining = false;
process.stdin.on("data", () => (draining = true));
say("ready");

async function accept(): Promise<void> {
  while (!draining) {
    const id = `evt_${formatUuids(unixUuids(1, Date.now(), (size) => randomBytes(size)))}`;
    const body = JSON.stringify({ id, fill: "x".repeat(Math.floor(Math.random() * 400)) });
    const added = await queue.add({ id, type: "webhook.test", account: "acme", body }, ["we_a", "we_b"]);
    for (const delivery of added) say("added", delivery.id, id);
    if ((await queue.stats()).depth > 300) await sleep(20);
  }
}

async function deliver({ delivery, body, fence }: Claim): Promise<void> {
  if ((JSON.parse(body) as { id: string }).id !== delivery.event) say("error", "another event's body", body);
  const at = Date.now();
  await sleep(Math.random() * 5);
  const number = delivery.attempts + 1;
  const attempt = { number, at, durationMs: 1, excerpt: `${process.pid}:${fence}` };
  if (Math.random() < 0.3) {
    const nextAt = Date.now() + 30;
    await queue.settle(
      { delivery, body, fence },
      { attempt: { ...attempt, outcome: "retry" }, state: "waiting", nextAt },
    );
    say("retried", delivery.id, number);
  } else {
    await queue.settle(
      { delivery, body, fence },
      { attempt: { ...attempt, outcome: "ok" }, state: "delivered" },
    );
    say("delivered", delivery.id, number);
  }
}

async function work(): Promise<void> {
  const busy = new Set<Promise<void>>();
  for (;;) {
    const claims = await queue.claim({ count: Number(inFlight) - busy.size, leaseMs: 60_000 });
    for (const claim of claims) {
      say("claimed", claim.delivery.id, claim.fence);
      const done = deliver(claim).finally(() => busy.delete(done));
      busy.add(done);
    }
    if (draining && (await queue.stats()).depth === 0) return;
    await (busy.size > 0 ? Promise.race(busy) : sleep(5));
  }
}

await Promise.all([accept(), accept(), accept(), accept(), work()]);
await queue.close();
say("drained");
process.stdin.destroy();
