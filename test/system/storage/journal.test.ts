import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCounters } from "../../../src/storage/counters.ts";
import type { StoreError } from "../../../src/storage/errors.ts";
import { openJournal } from "../../../src/storage/journal/journal.ts";
import { readJournal } from "../../../src/storage/journal/lines.ts";
import { mountRefusal } from "../e2e/disk.ts";
import { repeats } from "../../support/cases.ts";
import { startChild } from "./child.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

const end = Date.now() + 1_800_000;
const line = (id: string, used: number, resetAt = end) => `${id}\t${used}\t${resetAt}\t.\n`;

function folderWith(journal: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, "counters.log"), journal);
  return folder;
}

async function restored(folder: string, ...ids: string[]): Promise<(number | undefined)[]> {
  const { store } = await openTestStore({ driver: "file", path: folder });
  const counts = await Promise.all(ids.map((id) => store.counters.peek(id)));
  await store.close();
  return counts.map((count) => count?.used);
}

describe("reading back", () => {
  const head = "penknife-counters 1\n";
  const whole = head + line("account:acme", 5);

  test("restores the count of an account with an incarnation", async () => {
    const id = "account:acme:0123456789abcdef";
    expect(await restored(folderWith(head + line(id, 7)), id, "account:acme")).toEqual([7, undefined]);
  });
  test.each<[string, string, (number | undefined)[]]>([
    ["nothing of an empty file", "", [undefined, undefined]],
    ["the last line of an id", whole + line("account:acme", 6) + line("ip:7f000001", 2), [6, 2]],
    ["not the torn tail", `${whole}account:acme\t99\t17999`, [5, undefined]],
    ["not a line without its dot", `${whole}account:acme\t99\t${end}\t\n`, [5, undefined]],
    ["a whole last line without its end", `${whole}account:acme\t6\t${end}\t.`, [6, undefined]],
    ["what follows a broken line", `${whole}account:ac\n${line("ip:7f000001", 3)}`, [5, 3]],
    ["what follows a hole of zeros", `${whole}${"\0".repeat(512)}\n${line("ip:7f000001", 3)}`, [5, 3]],
    ["nothing of a window that was reset", `${whole}account:acme\t0\t0\t.\n`, [undefined, undefined]],
    [
      "nothing of a window that is over",
      head + line("account:acme", 5, Date.now() - 1),
      [undefined, undefined],
    ],
    ["not junk", `${whole}account:acme\t-3\t${end}\t.\nx y z\n:\t1\t2\t.\n`, [5, undefined]],
  ])("%s", async (_, journal, counts) => {
    expect(await restored(folderWith(journal), "account:acme", "ip:7f000001")).toEqual(counts);
  });

  test("a window whose clock ran ahead ends within an hour", async () => {
    const folder = folderWith(head + line("account:acme", 5, Date.now() + 1e12));
    const { store } = await openTestStore({ driver: "file", path: folder });
    const resetAt = (await store.counters.peek("account:acme"))?.resetAt ?? 0;
    expect(resetAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect(resetAt).toBeGreaterThan(Date.now());
  });

  test("a journal of a newer release prevents the start", async () => {
    const folder = folderWith("penknife-counters 2\nsomething else\n");
    await expect(openTestStore({ driver: "file", path: folder })).rejects.toThrow("newer release");
    expect(readFileSync(join(folder, "counters.log"), "utf8")).toContain("something else");
  });
});

describe("rewriting", () => {
  test("a crash during a rewrite keeps the old journal, and the next start removes the partial one", async () => {
    const folder = folderWith(`penknife-counters 1\n${line("account:acme", 5)}`);
    writeFileSync(
      join(folder, "counters.log.tmp"),
      `penknife-counters 1\n${line("account:acme", 1)}account:`,
    );
    mkdirSync(join(folder, ".socket-abc"));
    writeFileSync(join(folder, ".socket-abc", "new.sock"), "");
    expect(await restored(folder, "account:acme")).toEqual([5]);
    expect(readdirSync(folder).filter((name) => /tmp|^\./.test(name))).toEqual([]);
  });

  test("a start leaves one line for each window", async () => {
    const folder = folderWith(`penknife-counters 1\n${line("account:acme", 5).repeat(1_000)}`);
    await restored(folder);
    expect(readFileSync(join(folder, "counters.log"), "utf8")).toBe(
      `penknife-counters 1\n${line("account:acme", 5)}`,
    );
  });

  test("kill -9 during constant rewriting, again and again", async () => {
    const folder = makeFolder();
    const kills = repeats(10);
    let before = 0;
    for (let round = 0; round < kills; round++) {
      const child = startChild("churn", folder);
      await child.said(/^ready/);
      const answered = (): string[][] =>
        child.lines.map((text) => text.split(" ")).filter(([word]) => word === "answered");
      // Rewriting makes the journal smaller. The kill comes some answers after that, another number in each round.
      const isSmaller = ([, , size]: string[], index: number, all: string[][]): boolean =>
        Number(size) < Number(all[index - 1]?.[2] ?? 0);
      while (
        !answered()
          .slice(0, -(1 + round * 7))
          .some(isSmaller)
      )
        await sleep(1);
      await child.kill();
      const said = answered();
      const used = new Map(readJournal(join(folder, "counters.log"))).get("account:acme")?.used ?? 0;
      expect(used).toBeGreaterThanOrEqual(Number(said.at(-2)?.[1] ?? before));
      expect(used).toBeLessThanOrEqual(Number(said.at(-1)?.[1] ?? before) + 1);
      expect(child.lines.filter((text) => text.startsWith("error"))).toEqual([]);
      before = used;
    }
  });
});

test("a restart keeps the counts, in one file for each kind, readable only by the owner", async () => {
  const folder = makeFolder();
  const { store } = await openTestStore({ driver: "file", path: join(folder, "data") });
  await store.counters.consume("account:acme", 41);
  await store.counters.consume("account:acme", 1);
  await store.close();
  expect(await restored(join(folder, "data"), "account:acme")).toEqual([42]);
  const mode = (name: string) => (statSync(join(folder, "data", name)).mode & 0o777).toString(8);
  expect([mode(""), mode("keys"), mode("accounts")]).toEqual(["700", "700", "700"]);
  expect(mode("counters.log")).toBe("600");
  expect(existsSync(join(folder, "data", "owner.json"))).toBe(false);
});

test("requests of one turn of the event loop are one write, made at the end of the turn", async () => {
  const folder = makeFolder();
  const { store } = await openTestStore({ driver: "file", path: folder });
  const file = join(folder, "counters.log");
  const before = readFileSync(file, "utf8");
  await Promise.all(Array.from({ length: 500 }, () => store.counters.consume("account:acme", 1)));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const added = readFileSync(file, "utf8").slice(before.length);
  expect(added).toMatch(/^account:acme\t500\t\d+\t\.\n$/);
});

test("on a full disk requests are answered, the fault is reported, and all counts are written once there is space", async () => {
  const folder = makeFolder();
  // A file size limit stands in for the disk: a write is cut short at it and the next one fails.
  const child = startChild("count", folder);
  await child.said(/^ready/);
  limit(child.pid, "4200:unlimited");
  for (let n = 1; n <= 200; n++) {
    child.write(`ip:${n.toString(16)} ${n}\n`);
    await child.said(new RegExp(`^used ip:${n.toString(16)} ${n}$`));
  }
  expect(await child.said(/^error journal/)).toContain("no space left");
  expect(child.lines.filter((text) => text.startsWith("error")).length).toBeLessThan(20);
  limit(child.pid, "unlimited:unlimited");
  child.write("account:acme 7\n");
  await child.said(/^used account:acme 7$/);
  const file = join(folder, "counters.log");
  await expect.poll(() => readFileSync(file, "utf8")).toContain("account:acme\t7\t");
  await child.kill();
  const counts = new Map(readJournal(file));
  for (let n = 1; n <= 200; n++) expect(counts.get(`ip:${n.toString(16)}`)?.used).toBe(n);
  expect(counts.get("account:acme")?.used).toBe(7);
});

describe.runIf(mountRefusal() === undefined)("on a small disk", () => {
  /** Counters with a journal of their own. */
  async function openCounters(size: string, windows: number, compactBytes?: number) {
    const folder = makeFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    const path = join(folder, "counters.log");
    const counters = createCounters(testRuntime(), (id) => journal.note(id));
    for (let n = 0; n < windows; n++) counters.restore(`ip:${n}`, { used: 1, resetAt: end });
    const errors: StoreError[] = [];
    const notices: string[] = [];
    const journal = await openJournal({
      path,
      seen: counters.seen,
      ids: counters.ids,
      onError: (error) => void errors.push(error),
      onNotice: (_, message) => void notices.push(message),
      ...(compactBytes !== undefined && { compactBytes }),
    });
    return { folder, path, counters, journal, errors, notices };
  }

  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  test("a rewrite without enough space removes its partial file and leaves the old journal room to grow", async () => {
    const { folder, path, counters, journal, errors } = await openCounters("48k", 1_000, 2_000);
    for (let n = 0; n < 300; n++) {
      await counters.consume("account:acme", 1);
      await turn();
    }
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(errors.map(({ operation }) => operation)).toEqual(errors.map(() => "compact"));
    expect(errors[0]?.reason).toContain("no space left");
    expect(journal.isBehind()).toBe(false);
    await journal.close();
    expect(readdirSync(folder)).toEqual(["counters.log"]);
    const counts = new Map(readJournal(path));
    expect([counts.size, counts.get("account:acme")?.used]).toEqual([1_001, 300]);
  });

  test.each([
    ["goes on by itself when there is room again", false],
    ["is written whole by an end in order", true],
  ])(
    "a flood of addresses on a full disk does not accumulate in memory, and all of it %s",
    async (_, atEnd) => {
      const { folder, path, counters, journal, errors, notices } = await openCounters("4m", 3);
      const ballast = join(folder, "ballast");
      expect(spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]).status).not.toBe(0);
      // Fills the rest of the last page.
      for (let n = 0; n < 200; n++) await counters.consume(`ip:fill${n}`, 1);
      await turn();
      await expect.poll(() => journal.isBehind()).toBe(true);
      const { ino } = statSync(path);
      await counters.reset("ip:1");
      for (let n = 0; n < 30_000; n++) await counters.consume(`ip:x${n}`, 2);
      // The next attempt, at which too many changes are queued.
      const attempts = errors.length;
      await expect.poll(() => errors.length).toBeGreaterThan(attempts);
      await counters.consume("ip:2", 4);
      expect(notices).toEqual([]);
      rmSync(ballast);
      if (atEnd) await journal.close();
      await expect.poll(() => notices).toHaveLength(1);
      expect(notices[0]).toContain("counters.log is written again");
      expect(journal.isBehind()).toBe(false);
      await journal.close();
      // Rewritten from the windows rather than from a list of changes.
      expect(statSync(path).ino).not.toBe(ino);
      const counts = new Map(readJournal(path));
      expect(counts.size).toBe(30_000 + 200 + 2);
      expect([counts.get("ip:x29999")?.used, counts.get("ip:2")?.used]).toEqual([2, 5]);
      expect(counts.has("ip:1")).toBe(false);
      expect(new Set(errors.map(({ operation }) => operation))).toEqual(new Set(["journal"]));
    },
  );
});

function limit(pid: number, size: string): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${size}`]);
}

test("new ids do not delay a rewrite, and a window that is reset meanwhile does not come back", async () => {
  const path = join(makeFolder(), "counters.log");
  const counters = createCounters(testRuntime(), (id) => journal.note(id));
  for (let n = 0; n < 5_000; n++) counters.restore(`ip:${n}`, { used: 1, resetAt: end });
  const errors: unknown[] = [];
  const common = {
    path,
    seen: counters.seen,
    ids: counters.ids,
    onError: (error: unknown) => void errors.push(error),
  };
  const opening = openJournal({ ...common, compactBytes: 1 });
  let settled = false;
  void opening.then(() => (settled = true));
  // A busy disk is slow at each step of the opening, while new ids keep arriving.
  for (let n = 0; n < 4_000 && !settled; n++) {
    for (let m = 0; m < 100; m++) counters.restore(`ip:x${n}-${m}`, { used: 1, resetAt: end });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const journal = await opening;
  expect(counters.seen("ip:x3999-0")).toBeUndefined();

  const inode = statSync(path).ino;
  await counters.consume("ip:1", 1);
  await new Promise((resolve) => setImmediate(resolve));
  // The last one is written some turns later; it is reset before that.
  await counters.reset("ip:4999");
  await expect.poll(() => statSync(path).ino).not.toBe(inode);
  await journal.close();
  const counts = new Map(readJournal(path));
  expect(counts.get("ip:1")?.used).toBe(2);
  expect(counts.get("ip:4998")?.used).toBe(1);
  expect(counts.has("ip:4999")).toBe(false);
  expect(errors).toEqual([]);
});
