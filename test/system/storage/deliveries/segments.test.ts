import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Claim } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { makeFolder } from "../../../support/store.ts";
import { makeAttempt, makeEvent } from "../../../unit/storage/deliveries/conformance.ts";
import { journalOf, openOn } from "../../../unit/storage/deliveries/file.ts";

const namesIn = (data: string): string[] => journalOf(data).map((path) => basename(path));

test("a segment whose first lines cannot be written is removed, and the next addition makes another", async () => {
  const data = makeFolder();
  const { queue } = await openOn(data);
  const handle = await open(import.meta.filename);
  const write = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "write");
  onTestFinished(() => write.mockRestore());
  await handle.close();
  write.mockRejectedValueOnce(Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC" }));
  await expect(queue.add(makeEvent(Date.now()), ["we_a"])).rejects.toThrow("no space left");
  expect(readdirSync(join(data, "webhooks"))).toEqual([]);
  expect(await queue.add(makeEvent(Date.now()), ["we_a"])).toHaveLength(1);
  expect(namesIn(data)).toEqual(["queue-00000003.log"]);
  write.mockRejectedValueOnce(Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC" }));
  await expect(queue.add(makeEvent(Date.now()), ["we_a"])).rejects.toThrow("no space left");
  expect(await queue.add(makeEvent(Date.now()), ["we_a"])).toHaveLength(1);
  expect(namesIn(data)).toEqual(["queue-00000003.log", "queue-00000004.log"]);
  await queue.close();
  const again = await openOn(data);
  expect(again.notices).toEqual([]);
  expect((await again.queue.stats()).depth).toBe(2);
});

test("a file in the place of a new segment is neither appended to nor removed", async () => {
  const data = makeFolder();
  const { queue } = await openOn(data);
  const planted = join(data, "webhooks", "queue-00000002.log");
  writeFileSync(planted, "something else");
  await expect(queue.add(makeEvent(Date.now()), ["we_a"])).rejects.toThrow(StoreError);
  expect(await queue.add(makeEvent(Date.now()), ["we_a"])).toHaveLength(1);
  expect(readFileSync(planted, "utf8")).toBe("something else");
  expect(namesIn(data)).toEqual(["queue-00000002.log", "queue-00000003.log"]);
});

test("after a failed sync of the log of ended deliveries, the same delivery is settled without a restart", async () => {
  const data = makeFolder();
  const { queue } = await openOn(data);
  await queue.add(makeEvent(Date.now()), ["we_a"]);
  const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
  const handle = await open(import.meta.filename);
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "datasync");
  onTestFinished(() => sync.mockRestore());
  await handle.close();
  const result = { attempt: makeAttempt(1, Date.now()), state: "delivered" } as const;
  sync.mockRejectedValueOnce(Object.assign(new Error("EIO: fdatasync"), { code: "EIO" }));
  await expect(queue.settle(claim as Claim, result)).rejects.toThrow(StoreError);
  expect(await queue.settle(claim as Claim, result)).toEqual({ failures: 0 });
  expect((await queue.list({ limit: 10 })).map(({ state }) => state)).toEqual(["delivered"]);
});
