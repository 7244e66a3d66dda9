import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { minuteMs } from "../../../../src/storage/key-uses.ts";
import { drivers, optionsOf, redisOptions, sharedRedis } from "../drivers.ts";
import { damageHistory } from "../../../support/history.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";

const minute = (n: number): number => (29_000_000 + n) * minuteMs;
const id = (n: number): string => `key_${n.toString(16).padStart(20, "0")}`;

describe.each(drivers)("the last uses of the %s driver", (driver) => {
  test("begin empty, and keep the newest time of each key in whatever order it is written", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const uses = await store.keyUses();
    expect(await uses.read()).toEqual({ last: new Map() });
    await uses.put(new Map([[id(1), minute(5)]]));
    await uses.put(
      new Map([
        [id(1), minute(3)],
        [id(2), minute(4)],
      ]),
    );
    await uses.put(new Map([[id(2), minute(9)]]));
    expect(await uses.read()).toEqual({
      since: minute(3),
      last: new Map([
        [id(1), minute(5)],
        [id(2), minute(9)],
      ]),
    });
  });

  test("are read by id, without those that are unknown", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const uses = await store.keyUses();
    await uses.put(new Map([1, 2, 3].map((n) => [id(n), minute(n)])));
    expect(await uses.read([id(2), id(7)])).toEqual({
      since: minute(1),
      last: new Map([[id(2), minute(2)]]),
    });
    expect(await uses.read([])).toEqual({ since: minute(1), last: new Map() });
  });

  test("are forgotten when they are removed", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const uses = await store.keyUses();
    await uses.put(new Map([1, 2].map((n) => [id(n), minute(n)])));
    await uses.remove([id(1), id(7)]);
    await uses.remove([]);
    expect(await uses.read()).toEqual({ since: minute(1), last: new Map([[id(2), minute(2)]]) });
  });

  test("of more keys than fit into one command are complete", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const uses = await store.keyUses();
    const many = new Map(Array.from({ length: 2100 }, (_, n) => [id(n), minute(n)]));
    await uses.put(many);
    expect((await uses.read()).last).toEqual(many);
    expect((await uses.read([...many.keys()])).last).toEqual(many);
  });

  test.runIf(driver !== "memory")("survive a restart", async () => {
    const place = { ...(await optionsOf(driver)), ...(driver === "file" && { path: makeFolder() }) };
    const first = await openTestStore(place);
    await (await first.store.keyUses()).put(new Map([[id(1), minute(1)]]));
    await first.store.close();
    const second = await openTestStore(place);
    const uses = await second.store.keyUses();
    expect(await uses.read()).toEqual({ since: minute(1), last: new Map([[id(1), minute(1)]]) });
    await uses.put(new Map([[id(1), minute(0)]]));
    expect((await uses.read()).last.get(id(1))).toBe(minute(1));
  });
});

test("two nodes over one Redis agree on the newest", async () => {
  const redis = redisOptions((await sharedRedis()).url);
  const [a, b] = await Promise.all(
    [1, 2].map(async () => (await openTestStore({ driver: "redis", redis })).store.keyUses()),
  );
  await Promise.all([
    a?.put(new Map([[id(1), minute(8)]])),
    b?.put(new Map([[id(1), minute(7)]])),
    b?.put(new Map([[id(2), minute(6)]])),
  ]);
  const expected = {
    since: minute(6),
    last: new Map([
      [id(1), minute(8)],
      [id(2), minute(6)],
    ]),
  };
  expect(await a?.read()).toEqual(expected);
  expect(await b?.read()).toEqual(expected);
});

describe("the last uses in a folder", () => {
  test("are private, and a damaged one is reported and left out, alone, until the next use", async () => {
    const path = makeFolder();
    const first = await openTestStore({ driver: "file", path });
    await (await first.store.keyUses()).put(new Map([1, 2].map((n) => [id(n), minute(n)])));
    await first.store.close();
    expect(statSync(join(path, "history.db")).mode & 0o777).toBe(0o600);
    damageHistory(path, `UPDATE uses SET minute = minute + 512 WHERE id = '${id(1)}'`);
    const { store, errors } = await openTestStore({ driver: "file", path });
    const uses = await store.keyUses();
    const all = { since: minute(1), last: new Map([[id(2), minute(2)]]) };
    expect(await uses.read()).toEqual(all);
    expect(await uses.read([id(1), id(2)])).toEqual(all);
    expect(new Set(errors.map(({ reason }) => reason))).toEqual(
      new Set([`${join(path, "history.db")} is damaged: the last use of ${id(1)} is lost.`]),
    );
    await uses.put(new Map([[id(1), minute(3)]]));
    expect((await uses.read([id(1)])).last).toEqual(new Map([[id(1), minute(3)]]));
  });

  test("are not followed where the file is a link", async () => {
    const path = makeFolder();
    const other = join(makeFolder(), "other");
    writeFileSync(other, "");
    symlinkSync(other, join(path, "history.db"));
    const { store } = await openTestStore({ driver: "file", path });
    await expect((await store.keyUses()).read()).rejects.toThrow(/symbolic link/);
    expect(readFileSync(other, "utf8")).toBe("");
  });
});
