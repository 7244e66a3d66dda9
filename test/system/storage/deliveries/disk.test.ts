import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Claim } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { createDisks, type Disk, fill, free, mountRefusal } from "../../e2e/disk.ts";
import { makeFolder } from "../../../support/store.ts";
import { makeAttempt, makeEvent } from "../../../unit/storage/deliveries/conformance.ts";
import { journalOf, openOn } from "../../../unit/storage/deliveries/file.ts";

const disks = createDisks();
afterEach(() => disks.close());

const refusal = mountRefusal();
if (refusal !== undefined)
  process.stderr.write(`skipped: a full disk, because nothing can be mounted here (${refusal})\n`);

describe.runIf(refusal === undefined)("a disk that is full", () => {
  const opened = async (size = 512 * 1024): Promise<{ disk: Disk } & Awaited<ReturnType<typeof openOn>>> => {
    const disk = disks.small(size);
    return { disk, ...(await openOn(disk.data)) };
  };

  test("accepts nothing and reports the cause, and accepts again when there is room", async () => {
    const { disk, queue } = await opened();
    const kept = makeEvent(Date.now());
    await queue.add(kept, ["we_a"]);
    // Makes the history, which a server does in its first seconds.
    await queue.list({ limit: 1 });
    fill(disk);
    const refused = Array.from({ length: 20 }, () => makeEvent(Date.now(), { body: "x".repeat(5_000) }));
    const results = await Promise.allSettled(refused.map((event) => queue.add(event, ["we_a", "we_b"])));
    for (const result of results) {
      expect(result.status).toBe("rejected");
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(StoreError);
      expect((reason as StoreError).reason).toMatch(/no space left for .*\/webhooks\. Free some space/);
    }
    expect((await queue.stats()).depth).toBe(1);
    expect((await queue.list({ limit: 100 })).map(({ event }) => event)).toEqual([kept.id]);
    free(disk);
    // The same events, which were not accepted before.
    for (const event of refused) expect(await queue.add(event, ["we_a"])).toHaveLength(1);
    await queue.close();
    const again = await openOn(disk.data);
    expect((await again.queue.stats()).depth).toBe(21);
    expect(again.notices).toEqual([]);
  });

  test("settles nothing: the claim remains, and is settled when there is room", async () => {
    const { disk, queue } = await opened();
    await queue.add(makeEvent(Date.now(), { body: JSON.stringify("x".repeat(20_000)) }), ["we_a"]);
    const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
    // Makes the history, which a server does in its first seconds.
    await queue.list({ limit: 1 });
    fill(disk, 2);
    const result = { attempt: makeAttempt(1, Date.now()), state: "delivered" } as const;
    await expect(queue.settle(claim as Claim, result)).rejects.toThrow(StoreError);
    await expect(queue.fail("we_a", "The endpoint was removed.")).rejects.toThrow(StoreError);
    expect(await queue.claim({ count: 1, leaseMs: 60_000 })).toEqual([]);
    expect((await queue.get((claim as Claim).delivery.id))?.state).toBe("waiting");
    expect(await queue.list({ state: "delivered", limit: 1 })).toEqual([]);
    free(disk);
    expect(await queue.settle(claim as Claim, result)).toEqual({ failures: 0 });
    expect((await queue.get((claim as Claim).delivery.id))?.state).toBe("delivered");
    expect(await queue.stats()).toEqual({ depth: 0 });
  });

  test("an event is accepted whole or not at all, with any amount of free space", async () => {
    const { disk, queue } = await opened();
    const accepted = new Set<string>();
    let refusals = 0;
    for (let round = 0; round < 40; round++) {
      fill(disk, round % 5);
      for (let n = 0; n < 10; n++) {
        const event = makeEvent(Date.now(), {
          body: JSON.stringify("x".repeat(1 + ((round * 211 + n * 37) % 900))),
        });
        try {
          await queue.add(event, ["we_a", "we_b", "we_c"]);
          accepted.add(event.id);
        } catch {
          refusals += 1;
        }
      }
      free(disk);
    }
    expect(refusals).toBeGreaterThan(20);
    expect(accepted.size).toBeGreaterThan(20);
    await queue.close();
    const again = await openOn(disk.data);
    const found = Map.groupBy(await again.queue.list({ limit: 10_000 }), ({ event }) => event);
    expect([...found.keys()].toSorted()).toEqual([...accepted].toSorted());
    expect([...found.values()].every(({ length }) => length === 3)).toBe(true);
  });

  test("loses no waiting delivery when the journal cannot be compacted", async () => {
    const disk = disks.small(1024 * 1024);
    const { queue, errors } = await openOn(disk.data, { segmentBytes: 20_000, historyIn: makeFolder() });
    await queue.hold("we_kept", Infinity);
    const bodies = Array.from({ length: 20 }, (_, n) => JSON.stringify(`${n} ${"x".repeat(1_000)}`));
    for (const body of bodies) await queue.add(makeEvent(Date.now(), { body }), ["we_kept"]);
    for (let n = 0; errors.length === 0 && n < 2_000; n++) {
      if (n % 10 === 0) fill(disk, 4);
      try {
        await queue.add(makeEvent(Date.now()), ["we_a"]);
        for (const claim of await queue.claim({ count: 10, leaseMs: 60_000 }))
          await queue.settle(claim, { attempt: makeAttempt(1, Date.now()), state: "delivered" });
      } catch {
        free(disk);
      }
    }
    expect(errors[0]).toMatchObject({ operation: "compact", reason: expect.stringMatching(/no space left/) });
    rmSync(join(disk.data, "ballast"), { force: true });
    await queue.close();
    const again = await openOn(disk.data);
    await again.queue.hold("we_kept", 0);
    const found = await again.queue.list({ endpoint: "we_kept", limit: 100 });
    const details = await Promise.all(found.map(({ id }) => again.queue.get(id)));
    expect(details.map((one) => one?.body).toSorted()).toEqual(bodies.toSorted());
  });

  test("a folder that became read-only behaves the same until it is writable again", async () => {
    const { disk, queue } = await opened();
    const undo = disks.makeReadOnly(disk);
    await expect(queue.add(makeEvent(Date.now()), ["we_a"])).rejects.toThrow(/read-only file system/);
    await expect(openOn(disk.data)).resolves.toBeDefined();
    undo();
    expect(await queue.add(makeEvent(Date.now()), ["we_a"])).toHaveLength(1);
  });

  test("a read-only folder without a queue is refused with the reason", async () => {
    const disk = disks.small(512 * 1024);
    const undo = disks.makeReadOnly(disk);
    await expect(openOn(disk.data)).rejects.toThrow(/read-only file system/);
    undo();
  });
});

describe("the folder", () => {
  test("is readable by its owner only", async () => {
    const data = makeFolder();
    const { queue } = await openOn(data);
    expect(journalOf(data)).toEqual([]);
    await queue.add(makeEvent(Date.now()), ["we_a"]);
    const [claim] = await queue.claim({ count: 1, leaseMs: 60_000 });
    await queue.settle(claim as Claim, { attempt: makeAttempt(1, Date.now()), state: "delivered" });
    const folder = join(data, "webhooks");
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    expect(modeOf(folder)).toBe(0o700);
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    expect(modeOf(join(data, "history.db"))).toBe(0o600);
    for (const name of names) expect(modeOf(join(folder, name))).toBe(0o600);
  });

  test("of a newer release is refused and left unchanged", async () => {
    const data = makeFolder();
    const file = join(data, "webhooks", "queue-00000001.log");
    mkdirSync(join(data, "webhooks"));
    writeFileSync(file, "penknife-deliveries 2\nsomething else\n");
    await expect(openOn(data)).rejects.toThrow(
      `${file} was written by a newer release of penknife (version 2, this one reads 1). Start that release, or move the file away`,
    );
    expect(statSync(file).size).toBe(37);
  });

  test("is cleared of half-made files of a crash, and keeps unrelated files", async () => {
    const data = makeFolder();
    mkdirSync(join(data, "webhooks"));
    writeFileSync(join(data, "webhooks", "queue-00000003.log.tmp"), "penknife-deliveries 1\nhalf");
    writeFileSync(join(data, "webhooks", "queue-00000004.log"), "");
    writeFileSync(join(data, "webhooks", "notes.txt"), "mine");
    const { queue } = await openOn(data);
    await queue.add(makeEvent(Date.now()), ["we_a"]);
    expect(readdirSync(join(data, "webhooks")).toSorted()).toEqual([
      "notes.txt",
      "queue-00000004.log",
      "queue-00000006.log",
    ]);
  });

  test("that is missing or not a folder is reported as such", async () => {
    const data = makeFolder();
    await expect(openOn(join(data, "none"))).rejects.toThrow(/is gone/);
    const { queue } = await openOn(data);
    rmSync(join(data, "webhooks"), { recursive: true });
    await expect(queue.add(makeEvent(Date.now()), ["we_a"])).rejects.toThrow(/is gone/);
    mkdirSync(join(data, "webhooks"));
    expect(await queue.add(makeEvent(Date.now()), ["we_a"])).toHaveLength(1);
  });

  test("is not written to after close", async () => {
    const { queue } = await openOn(makeFolder());
    await queue.add(makeEvent(Date.now()), ["we_a"]);
    await queue.close();
    await expect(queue.add(makeEvent(Date.now()), ["we_a"])).rejects.toThrow("is closed");
    await expect(queue.claim({ count: 1, leaseMs: 1 })).rejects.toThrow("is closed");
  });
});
