import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import type * as replaceFileModule from "../../../src/storage/replace-file.ts";
import type * as fsModule from "node:fs";
import type { Store } from "../../../src/storage/storage.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { account, key } from "../../support/records.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { textsOf } from "../../support/stored-records.ts";

/** Called before each step of a migration that others can see; throws to end it there. */
const step = vi.hoisted(() => ({ before: (_name: string): void => {} }));

vi.mock("node:fs", async (importActual) => {
  const actual = await importActual<typeof fsModule>();
  const watched = (name: "renameSync" | "mkdirSync" | "writeFileSync" | "rmSync") =>
    ((...args: never[]) => {
      step.before(`${name} ${String(args[0])}`);
      return (actual[name] as (...all: never[]) => unknown)(...args);
    }) as never;
  return {
    ...actual,
    renameSync: watched("renameSync"),
    mkdirSync: watched("mkdirSync"),
    writeFileSync: watched("writeFileSync"),
    rmSync: watched("rmSync"),
  };
});
vi.mock("../../../src/storage/replace-file.ts", async (importActual) => {
  const actual = await importActual<typeof replaceFileModule>();
  return {
    ...actual,
    syncFile(path: string) {
      step.before(`syncFile ${path}`);
      actual.syncFile(path);
    },
  };
});

const stores = new URL("stores/", import.meta.url);
/** The commits of releases; a file for each has the files of a store that it left, as text or packed. */
const releases = readdirSync(stores).map((name) => name.replace(".json", ""));
/** The one that kept records in `store.db`, and usage, last uses and ended deliveries in files. */
const withRecords = "02e4ad4";
/** One that kept everything in files. */
const withFiles = "4eadf5c";
const kinds = ["accounts", "keys", "endpoints", "inboxes", "sessions", "logins"] as const;

/** A store as that release left it. */
function storeOf(release: string): string {
  const folder = join(makeFolder(), "data");
  const files = JSON.parse(readFileSync(new URL(`${release}.json`, stores), "utf8")) as Record<
    string,
    string | { gzip: string }
  >;
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    const bytes = typeof content === "string" ? content : gunzipSync(Buffer.from(content.gzip, "base64"));
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

/** The records in the files of an older release. */
const filesIn = (folder: string): Record<string, unknown> =>
  Object.fromEntries(
    kinds.flatMap((kind) =>
      (existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)) : [])
        .filter((name) => name !== "moved-to-store-db.json")
        .map((name): [string, unknown] => [
          `${kind}:${name.slice(0, -5)}`,
          JSON.parse(readFileSync(join(folder, kind, name), "utf8")),
        ]),
    ),
  );

const recordsIn = (folder: string): Record<string, unknown> =>
  Object.fromEntries(
    kinds.flatMap((kind) =>
      [...textsOf(folder, kind)].map(([id, text]): [string, unknown] => [`${kind}:${id}`, JSON.parse(text)]),
    ),
  );

const recordsOf = (release: string): Record<string, unknown> => {
  const folder = storeOf(release);
  return release === withRecords ? recordsIn(folder) : filesIn(folder);
};

/** The files of usage, last uses and ended deliveries. */
const historyFiles = (folder: string): Record<string, string> =>
  Object.fromEntries(
    ["last-used.json", "usage", "webhooks"]
      .filter((name) => existsSync(join(folder, name)))
      .flatMap((name) =>
        name.endsWith(".json") ? [name] : readdirSync(join(folder, name)).map((one) => join(name, one)),
      )
      .filter((name) => !name.includes("queue-"))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );

/** All that the stores of releases have of it. */
async function expectHistory(store: Store, hasUses = true): Promise<void> {
  const usage = await Array.fromAsync((await store.usage()).read(0, Infinity));
  expect(usage.map((row) => `${row.account} ${row.ok}`).toSorted()).toEqual(["- 3", "acme 3", "acme 3"]);
  const uses = await (await store.keyUses()).read();
  if (hasUses) expect([uses.since, uses.last.size]).toEqual([Date.parse("2026-11-21T09:30:00.000Z"), 2]);
  const queue = await store.deliveries();
  const list = await queue.list({ account: "acme", limit: 9 });
  expect(list.map(({ state }) => state).toSorted()).toEqual(["delivered", "delivered", "waiting"]);
  for (const { id, state } of list)
    expect(await queue.get(id)).toMatchObject({ state, body: expect.stringContaining("{") });
}

const openAt = async (path: string): Promise<Store> => {
  const now = Date.parse("2026-11-21T10:00:00.000Z");
  const { testRuntime } = await import("../../support/runtime.ts");
  return (await openTestStore({ driver: "file", path, runtime: testRuntime({ now: () => now }) })).store;
};

describe.each(releases)("the store of release %s", (release) => {
  test("keeps all that it has, and its files are put away", async () => {
    const folder = storeOf(release);
    const wanted = recordsOf(release);
    const history = historyFiles(folder);
    expect(Object.keys(wanted)).toHaveLength(11);
    const hasUses = "last-used.json" in history;
    expect(Object.keys(history)).toHaveLength(hasUses ? 4 : 3);
    const store = await openAt(folder);
    expect(store.hadAccounts).toBe(true);
    expect((await store.keys.of("acme")).records).toHaveLength(4);
    expect(await store.keys.get("b".repeat(20))).toMatchObject({ revokeReason: "leaked" });
    expect(await store.sessions.count("*")).toBe(1);
    expect(store.counters.seen("account:acme")?.used).toBe(41);
    await expectHistory(store, hasUses);
    expect(await (await store.audit()).verify()).toMatchObject({ lines: 2, faultCount: 0 });
    await store.close();
    expect(recordsIn(folder)).toEqual(wanted);
    if (release !== withRecords) expect(filesIn(join(folder, "before-sqlite"))).toEqual(wanted);
    expect(historyFiles(folder)).toEqual({});
    expect(historyFiles(join(folder, "before-sqlite"))).toEqual(history);
    // A second start has nothing to do.
    const again = await openAt(folder);
    await expectHistory(again, hasUses);
    await again.close();
    expect(recordsIn(folder)).toEqual(wanted);
  });
});

/** Returns whether a release before SQLite starts on a folder: it refuses a record of a newer version. */
function olderReleaseStarts(folder: string): boolean {
  return ["accounts", "keys"].every((kind) =>
    (existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)) : []).every(
      (name) => (JSON.parse(readFileSync(join(folder, kind, name), "utf8")) as { v: number }).v <= 1,
    ),
  );
}

/** Returns whether the release that knew `store.db` starts on a folder: it refuses tables of a newer version. */
function releaseWithRecordsStarts(folder: string): boolean {
  const database = new DatabaseSync(join(folder, "store.db"));
  try {
    return database.prepare("PRAGMA user_version").get()?.["user_version"] === 1;
  } finally {
    database.close();
  }
}

test.each([
  [withFiles, 20],
  [withRecords, 10],
])(
  "the migration of %s that ends anywhere starts over, and an older release never uses a folder that it could spoil",
  async (release, least) => {
    const wanted = recordsOf(release);
    const history = historyFiles(storeOf(release));
    /** Opens a store and ends that before a step. Returns its error, or the number of steps. */
    const openUntil = async (folder: string, last: number): Promise<Error | number> => {
      let steps = 0;
      step.before = (name) => {
        if (!name.includes(folder) || /lock|owner|probe|socket|reserve|counters/.test(name)) return;
        steps += 1;
        if (steps === last) throw new Error(`ended before ${name}`);
      };
      const ended = await openAt(folder).then(
        (store) => store.close(),
        (error: Error) => error,
      );
      step.before = () => {};
      return ended ?? steps;
    };
    const steps = Number(await openUntil(storeOf(release), Infinity));
    for (const last of cases(
      Array.from({ length: steps }, (_, n) => n + 1),
      maxSeconds,
    )) {
      const folder = storeOf(release);
      const ended = await openUntil(folder, last);
      expect(String(ended)).toContain("ended before");
      // Once the database has its name, nothing that an older release writes is read any more.
      if (existsSync(join(folder, "store.db"))) expect(olderReleaseStarts(folder), String(ended)).toBe(false);
      if (existsSync(join(folder, "history.db")))
        expect(releaseWithRecordsStarts(folder), String(ended)).toBe(false);
      else if (existsSync(join(folder, "store.db"))) expect(historyFiles(folder)).toEqual(history);
      const store = await openAt(folder);
      await expectHistory(store);
      await store.close();
      expect(recordsIn(folder)).toEqual(wanted);
      if (release === withFiles) expect(filesIn(join(folder, "before-sqlite"))).toEqual(wanted);
      expect(historyFiles(join(folder, "before-sqlite"))).toEqual(history);
      expect(historyFiles(folder)).toEqual({});
      expect([olderReleaseStarts(folder), releaseWithRecordsStarts(folder)]).toEqual([false, false]);
      expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
    expect(steps).toBeGreaterThan(least);
  },
);

describe("a folder of an older release", () => {
  test("with a record of a newer one is left as it is", async () => {
    const folder = storeOf(withFiles);
    const file = join(folder, "accounts", "acme.json");
    writeFileSync(file, JSON.stringify({ ...account("acme"), v: 2 }));
    await expect(openAt(folder)).rejects.toThrow("newer release of penknife (version 2, this one reads 1)");
    expect([existsSync(join(folder, "store.db")), existsSync(join(folder, "before-sqlite"))]).toEqual([
      false,
      false,
    ]);
    expect(olderReleaseStarts(folder)).toBe(false);
    writeFileSync(file, JSON.stringify(account("acme")));
    expect(olderReleaseStarts(folder)).toBe(true);
  });

  test("keeps damaged records as damaged ones, and reports them and what is no record", async () => {
    const folder = join(makeFolder(), "data");
    for (const kind of ["accounts", "keys"]) mkdirSync(join(folder, kind), { recursive: true });
    const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    put("accounts/acme.json", JSON.stringify(account("acme")));
    put("accounts/acme (copy).json", JSON.stringify(account("acme")));
    put("accounts/hurt.json", '{"v":1,');
    put("accounts/none.json", "null");
    mkdirSync(join(folder, "accounts", "folder.json"));
    put(`keys/${"a".repeat(20)}.json.0.tmp`, "{");
    put(`keys/${"b".repeat(20)}.json`, JSON.stringify(key("b".repeat(20))));
    const { store, errors } = await openTestStore({ driver: "file", path: folder });
    expect(errors.map(({ reason }) => reason.replace(folder, ""))).toEqual([
      expect.stringContaining("/accounts/acme (copy).json is not the name of a record"),
      expect.stringContaining("/accounts/folder.json is not a regular file"),
      expect.stringContaining("/accounts/hurt.json is damaged"),
    ]);
    const { records, damaged } = await store.accounts.all();
    expect(records).toEqual([account("acme")]);
    expect(damaged).toEqual(
      ["folder", "hurt", "none"].map((id) => expect.stringContaining(`accounts/${id} is damaged`)),
    );
    expect(await store.keys.ids()).toEqual(["b".repeat(20)]);
    expect(readdirSync(join(folder, "before-sqlite", "accounts"))).toHaveLength(5);
  });

  test("whose files come back beside the database is reported, and they are not read", async () => {
    const folder = storeOf(withFiles);
    await (await openAt(folder)).close();
    cpSync(join(folder, "before-sqlite", "keys"), join(folder, "keys"), { recursive: true });
    const { store, errors } = await openTestStore({ driver: "file", path: folder });
    expect(errors.map(({ reason }) => reason)).toEqual([
      `${join(folder, "keys")} has files of an older release of penknife beside store.db, and they are not read. Move them elsewhere.`,
    ]);
    expect(await store.keys.count()).toBe(4);
  });

  test("can be put back once the database is moved away", async () => {
    const folder = storeOf(withFiles);
    await (await openAt(folder)).close();
    renameSync(join(folder, "store.db"), join(folder, "away.db"));
    for (const kind of kinds) {
      rmSync(join(folder, kind), { recursive: true, force: true });
      renameSync(join(folder, "before-sqlite", kind), join(folder, kind));
    }
    expect(olderReleaseStarts(folder)).toBe(true);
  });
});
