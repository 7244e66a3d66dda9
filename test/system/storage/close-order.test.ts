import { readFileSync, readlinkSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type * as lockModule from "../../../src/storage/lock.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";

/** Called at the moment a folder's lock is released. */
const onRelease = vi.hoisted(() => ({ call: () => {} }));

vi.mock("../../../src/storage/lock.ts", async (importOriginal) => {
  const original = await importOriginal<typeof lockModule>();
  const openLock: typeof original.openLock = (...args) => {
    const lock = original.openLock(...args);
    return {
      ...lock,
      release() {
        onRelease.call();
        lock.release();
      },
    };
  };
  return { ...original, openLock };
});

/** Paths that this process has open (Linux). */
const openPaths = (): string[] =>
  readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The descriptor that listed the folder.
      return [];
    }
  });

test.runIf(process.platform === "linux")(
  "the lock is released only after the last counts are written to the journal and the journal is closed",
  async () => {
    const folder = makeFolder();
    const journal = join(folder, "counters.log");
    const { store } = await openTestStore({ driver: "file", path: folder });
    await store.counters.consume("account:acme", 7);
    expect(openPaths()).toContain(journal);
    const seen: { text: string; isOpen: boolean }[] = [];
    onRelease.call = () =>
      void seen.push({ text: readFileSync(journal, "utf8"), isOpen: openPaths().includes(journal) });
    await store.close();
    expect(seen).toEqual([{ text: expect.stringContaining("account:acme") as string, isOpen: false }]);
  },
);
