import { afterEach, expect, test } from "vitest";
import { hourMs, type UsageBatch } from "../../../src/storage/usage/usage-store.ts";
import { account, key } from "../../support/records.ts";
import { openTestStore } from "../../support/store.ts";
import { usageRow } from "../../unit/storage/usage/usage-row.ts";
import { createDisks, damageIn, fill, free, mountRefusal } from "../e2e/disk.ts";

const disks = createDisks();
afterEach(() => disks.close());

const refusal = mountRefusal();
if (refusal !== undefined)
  process.stderr.write(`skipped: a full disk, because nothing can be mounted here (${refusal})\n`);

test.runIf(refusal === undefined)(
  "on a full disk the history is refused, a revocation is written, and what was refused is counted once when there is room",
  async () => {
    const disk = disks.small(2 * 1024 * 1024);
    const hour = Math.floor(Date.now() / hourMs) * hourMs;
    const batch = (id: string): UsageBatch => ({
      id,
      hour,
      rows: Array.from({ length: 50 }, (_, n) => usageRow(`a${n}`, "key_1", "uuid", { ok: 1 })),
    });
    // As a server: a thread has the databases.
    const { store } = await openTestStore({ driver: "file", path: disk.data, lockPatienceMs: 1_000 });
    const id = "a".repeat(20);
    await store.accounts.set("acme", account("acme"));
    await store.keys.set(id, key(id));
    const [usage, uses] = [await store.usage(), await store.keyUses()];
    await usage.add(batch("1"));
    const sum = async (): Promise<number> =>
      (await Array.fromAsync(usage.read(0, Infinity))).reduce((all, { ok }) => all + ok, 0);

    fill(disk);
    await expect(usage.add(batch("2"))).rejects.toThrow(/no space left for .*history\.db/);
    await expect(uses.put(new Map([["key_1", hour]]))).rejects.toThrow(/no space left for .*history\.db/);
    expect(await sum()).toBe(50);
    const revokedAt = new Date(hour).toISOString();
    await store.urgently?.(() => store.keys.set(id, key(id, { revokedAt })));
    expect(await store.keys.get(id)).toMatchObject({ revokedAt });

    free(disk);
    for (let times = 0; times < 2; times++) await usage.add(batch("2"));
    await uses.put(new Map([["key_1", hour]]));
    expect(await sum()).toBe(100);
    await store.close();
    expect(damageIn(disk)).toEqual([]);
    const { store: again } = await openTestStore({ driver: "file", path: disk.data });
    expect(await again.keys.get(id)).toMatchObject({ revokedAt });
    expect((await (await again.keyUses()).read()).last.size).toBe(1);
  },
);
