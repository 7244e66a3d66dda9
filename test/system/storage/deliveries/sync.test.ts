import { type FileHandle, open } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Claim } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { makeFolder } from "../../../support/store.ts";
import { makeAttempt, makeEvent } from "../../../unit/storage/deliveries/conformance.ts";
import { openOn } from "../../../unit/storage/deliveries/file.ts";

/** The sync call of every file handle. */
async function spyOnSync() {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, "datasync");
  onTestFinished(() => spy.mockRestore());
  return spy;
}

test("many concurrent additions or settlements wait for one sync", async () => {
  const { queue } = await openOn(makeFolder(), { perEndpoint: 1_000 });
  await queue.add(makeEvent(Date.now()), ["we_a"]);
  const sync = await spyOnSync();
  await Promise.all(Array.from({ length: 500 }, () => queue.add(makeEvent(Date.now()), ["we_a"])));
  expect(sync.mock.calls.length).toBeLessThanOrEqual(2);
  const claims = await queue.claim({ count: 500, leaseMs: 60_000 });
  sync.mockClear();
  const settle = (claim: Claim) =>
    queue.settle(claim, { attempt: makeAttempt(1, Date.now()), state: "delivered" });
  expect(await Promise.all(claims.map(settle))).toHaveLength(500);
  // The log of ended deliveries, its header, and the journal.
  expect(sync.mock.calls.length).toBeLessThanOrEqual(6);
});

test("additions and settlements resolve only once they are on the disk, and reject if the disk fails", async () => {
  const data = makeFolder();
  const { queue } = await openOn(data);
  await queue.add(makeEvent(Date.now()), ["we_a"]);
  const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
  const sync = await spyOnSync();
  const gate = Promise.withResolvers<undefined>();
  sync.mockImplementation(() => gate.promise);
  const acts: string[] = [];
  const adding = queue.add(makeEvent(Date.now()), ["we_b"]).then(() => acts.push("added"));
  const retry = { attempt: makeAttempt(1, Date.now(), { outcome: "retry" }), state: "waiting" } as const;
  const settling = queue.settle(claim as Claim, retry).then(() => acts.push("settled"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(acts).toEqual([]);
  expect(await queue.claim({ count: 10, leaseMs: 1 })).toEqual([]);
  expect(await queue.health("we_a")).toEqual({ failures: 0 });
  gate.resolve(undefined);
  await Promise.all([adding, settling]);
  expect(acts.toSorted()).toEqual(["added", "settled"]);

  sync.mockRejectedValueOnce(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
  await expect(queue.add(makeEvent(Date.now()), ["we_c"])).rejects.toThrow(/EIO/);
  sync.mockRestore();
  expect((await queue.stats()).depth).toBe(2);
  expect(await queue.add(makeEvent(Date.now()), ["we_d"])).toHaveLength(1);
  await queue.close();
  const again = await openOn(data);
  expect((await again.queue.list({ limit: 10 })).map(({ endpoint }) => endpoint)).toEqual([
    "we_d",
    "we_b",
    "we_a",
  ]);
});

test("waiting deliveries are on the disk and not in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const data = makeFolder();
  const { queue } = await openOn(data, { segmentBytes: 4 * 1024 * 1024 });
  collect();
  const before = process.memoryUsage();
  const size = 50_000;
  for (let n = 0; n < 40; n++)
    await Promise.all(
      Array.from({ length: 25 }, (_, m) =>
        queue.add(makeEvent(Date.now(), { body: JSON.stringify(`${n} ${m} ${"x".repeat(size)}`) }), ["we_a"]),
      ),
    );
  collect();
  // What a first collection has found, a second has released.
  await new Promise((resolve) => setTimeout(resolve, 100));
  collect();
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  // The bodies have 50 MB.
  expect(grown).toBeLessThan(25_000_000);
  const claims = await queue.claim({ count: 8, leaseMs: 60_000 });
  expect(claims.map(({ body }) => body.length)).toEqual(claims.map(() => expect.closeTo(size + 6, -1)));
});
