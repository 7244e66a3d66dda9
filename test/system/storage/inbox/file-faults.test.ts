import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import { openFileInbox } from "../../../../src/storage/inbox/file-inbox.ts";
import type { InboxStore, Kept, Message } from "../../../../src/storage/inbox/inbox-store.ts";
import { startChild } from "../child.ts";
import { makeFolder } from "../../../support/store.ts";
import { inboxId, knowing } from "../../../unit/storage/inbox/conformance.ts";
import { cases, repeats } from "../../../support/cases.ts";
import { testRuntime } from "../../../support/runtime.ts";

const fixture = new URL("./inbox.fixture.ts", import.meta.url).pathname;
const day = 86_400_000;
const kept: Kept = { messages: 1_000_000, ms: 7 * day, bytes: Infinity };

function open(folder: string, now: () => number = Date.now): { store: InboxStore; errors: StoreError[] } {
  const errors: StoreError[] = [];
  const store = openFileInbox(folder, {
    runtime: testRuntime({ now }),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => store.close());
  return { store, errors };
}

let count = 0;
const message = (body: string, changes: Partial<Message> = {}): Message => ({
  id: `msg_${(++count).toString().padStart(8, "0")}-0000-7000-8000-000000000000`,
  at: Date.now(),
  method: "POST",
  query: "",
  headers: [["a", "b"]],
  body: Buffer.from(body),
  signature: "valid",
  ...changes,
});

async function bodies(store: InboxStore, inbox: string, limit = 100_000): Promise<string[]> {
  const found = await store.read(inbox, { limit, kept });
  return found.map(({ body }) => Buffer.from(body).toString());
}

const filesOf = (folder: string, inbox: string): string[] => {
  const path = join(folder, "messages", inbox.slice(3));
  return readdirSync(path)
    .toSorted()
    .map((name) => join(path, name));
};

test("a restart keeps everything: messages, order, events and counters", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const first = open(folder).store;
  for (let n = 0; n < 10; n++) await first.add(inbox, message(`${n}`, { event: `e${n}`, type: "t" }), kept);
  await first.add(inbox, message("again", { event: "e3" }), kept);
  await first.add(inbox, message("again", { event: "e3" }), kept);
  const whole = await first.read(inbox, { limit: 100, kept });
  await first.close();
  const { store, errors } = open(folder);
  expect(await store.stats(inbox, kept)).toMatchObject({
    messages: 10,
    duplicates: 2,
    newestId: whole[9]?.id,
  });
  expect(await store.read(inbox, { limit: 100, kept })).toEqual(whole);
  expect(await store.add(inbox, message("again", { event: "e9" }), kept)).toBe(true);
  expect(await store.add(inbox, message("10", { event: "e10" }), kept)).toBe(false);
  expect((await bodies(store, inbox)).at(-1)).toBe("10");
  expect(errors).toEqual([]);
});

test("wherever its file is truncated, an inbox has the messages before that, and accepts new ones", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const { store } = open(folder);
  const sizes: number[] = [];
  for (let n = 0; n < 4; n++) {
    await store.add(inbox, message(`${n}`, { event: `e${n}` }), kept);
    sizes.push(statSync(filesOf(folder, inbox)[0] as string).size);
  }
  await store.close();
  const [file = ""] = filesOf(folder, inbox);
  const bytes = readFileSync(file);
  const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => bytes.length - at);
  const some = new Set(cases(cuts));
  for (const cut of cuts) {
    // Always those beside the end of a message.
    if (!some.has(cut) && !sizes.some((size) => Math.abs(size - cut) <= 1)) continue;
    writeFileSync(file, bytes.subarray(0, cut));
    const { store: again, errors } = open(folder);
    const whole = sizes.filter((size) => size <= cut).map((_, n) => `${n}`);
    expect(await bodies(again, inbox)).toEqual(whole);
    expect(await again.add(inbox, message("new", { event: "e3" }), kept)).toBe(whole.length === 4);
    expect(await bodies(again, inbox)).toEqual(whole.length === 4 ? whole : [...whole, "new"]);
    expect(errors).toEqual([]);
    await again.close();
  }
});

test("the last message, damaged at any byte, is reported and skipped, and the others stay", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const { store } = open(folder);
  for (const body of ["one", "two", "last"]) await store.add(inbox, message(body), kept);
  await store.close();
  const [file = ""] = filesOf(folder, inbox);
  const bytes = readFileSync(file);
  const start = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
  for (const at of cases(Array.from({ length: bytes.length - start }, (_, n) => start + n))) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 0x01;
    writeFileSync(file, changed);
    const { store: again, errors } = open(folder);
    expect(await bodies(again, inbox)).toEqual(["one", "two"]);
    expect(
      errors.map(({ reason }) => reason),
      `at ${at - start}`,
    ).toEqual([`${file} is damaged at byte ${start}; that part is skipped.`]);
    await again.close();
  }
});

test("a damaged message is reported and skipped, also if it is damaged while the server runs", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const { store, errors } = open(folder);
  for (const body of ["one", "two", "three"]) await store.add(inbox, message(body), kept);
  const [file = ""] = filesOf(folder, inbox);
  const bytes = readFileSync(file);
  const at = bytes.indexOf(Buffer.from("two").toString("base64"));
  bytes[at] = 0x41;
  writeFileSync(file, bytes);
  expect(await bodies(store, inbox)).toEqual(["one", "three"]);
  await store.close();
  const { store: again, errors: later } = open(folder);
  expect(await bodies(again, inbox)).toEqual(["one", "three"]);
  for (const [error, ...more] of [errors, later]) {
    expect(error).toMatchObject({
      operation: "read",
      reason: expect.stringContaining(`${file} is damaged at byte `),
    });
    expect(more).toEqual([]);
  }
});

test("an inbox written by a newer release is refused, and no other", async () => {
  const folder = makeFolder();
  const [inbox, other] = [inboxId(), inboxId()];
  const { store } = open(folder);
  for (const id of [inbox, other]) await store.add(id, message("1"), kept);
  await store.close();
  const [file = ""] = filesOf(folder, inbox);
  const { crc32 } = await import("node:zlib");
  const line = '{"v":2,"duplicates":0}';
  writeFileSync(file, `${crc32(line).toString(16).padStart(8, "0")} ${line}\n`);
  const { store: again } = open(folder);
  await expect(again.add(inbox, message("2"), kept)).rejects.toThrow(
    /another release of penknife \(version 2/,
  );
  await expect(again.read(inbox, { limit: 1, kept })).rejects.toThrow(StoreError);
  expect(await bodies(again, other)).toEqual(["1"]);
});

test("folders and files are private, and a removed inbox leaves nothing", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const { store } = open(folder);
  expect(existsSync(join(folder, "messages"))).toBe(false);
  await store.add(inbox, message("1"), kept);
  const path = join(folder, "messages", inbox.slice(3));
  expect(statSync(join(folder, "messages")).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(filesOf(folder, inbox)[0] as string).mode & 0o777).toBe(0o600);
  await store.remove(inbox);
  expect(existsSync(path)).toBe(false);
  for (const id of ["in_../../../etc", "in_", "", `in_${"A".repeat(32)}`]) {
    await expect(store.add(id, message("1"), kept)).rejects.toThrow("not the id of an inbox");
  }
});

test("messages that were displaced free their space on the disk", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const { store } = open(folder);
  const few = { ...kept, messages: 3 };
  const sizes: number[] = [];
  for (let n = 0; n < 30; n++) {
    await store.add(inbox, message(`${n} ${"x".repeat(300_000)}`, { event: `e${n}` }), few);
    await store.add(inbox, message("again", { event: `e${n}` }), few);
    sizes.push(filesOf(folder, inbox).reduce((sum, file) => sum + statSync(file).size, 0));
  }
  // Three messages of 400 kB in base64, and the file that contains the oldest.
  expect(Math.max(...sizes)).toBeLessThan(3_500_000);
  await store.close();
  const { store: again } = open(folder);
  expect(
    (await again.read(inbox, { limit: 10, kept: few })).map(({ body }) =>
      Buffer.from(body).toString().slice(0, 3),
    ),
  ).toEqual(["27 ", "28 ", "29 "]);
  expect(await again.stats(inbox, few)).toMatchObject({ messages: 3, duplicates: 30 });
});

test("expired messages leave the disk within a day and an hour, and the counters stay", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const clock = { now: Date.now() };
  const { store } = open(folder, () => clock.now);
  for (let n = 0; n < 9; n++) {
    await store.add(inbox, message(`message ${n}`, { at: clock.now, event: `e${n}` }), kept);
    await store.add(inbox, message("again", { event: `e${n}` }), kept);
    clock.now += day;
  }
  const onDisk = (): string =>
    filesOf(folder, inbox)
      .map((file) => readFileSync(file, "utf8"))
      .join("");
  const holds = (n: number): boolean => onDisk().includes(Buffer.from(`message ${n}`).toString("base64"));
  await store.sweep?.(knowing(inbox), kept);
  expect([0, 1, 2, 8].map(holds)).toEqual([false, false, true, true]);
  clock.now += 8 * day;
  // Also by a server that was started since.
  await store.close();
  const { store: again } = open(folder, () => clock.now);
  await again.sweep?.(knowing(inbox), kept);
  expect([2, 3, 8].map(holds)).toEqual([false, false, false]);
  expect(await again.stats(inbox, kept)).toEqual({ messages: 0, duplicates: 9 });
});

test("after a failed sync it continues in another file, and a message without an answer is not duplicated", async () => {
  const folder = makeFolder();
  const inbox = inboxId();
  const { store } = open(folder);
  await store.add(inbox, message("1", { event: "a" }), kept);
  const handle = await openFile(filesOf(folder, inbox)[0] as string);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const { datasync, truncate } = prototype;
  const failing = (): Promise<never> =>
    Promise.reject(Object.assign(new Error("i/o error"), { code: "EIO" }));
  // What was written stays, as it may if the disk itself fails.
  Object.assign(prototype, { datasync: failing, truncate: failing });
  try {
    const adding = [
      store.add(inbox, message("2", { event: "b" }), kept),
      store.add(inbox, message("again", { event: "b" }), kept),
    ];
    for (const one of adding) await expect(one).rejects.toThrow(StoreError);
  } finally {
    Object.assign(prototype, { datasync, truncate });
  }
  expect(await bodies(store, inbox)).toEqual(["1"]);
  expect(await store.add(inbox, message("2 again", { event: "b" }), kept)).toBe(false);
  expect(filesOf(folder, inbox)).toHaveLength(2);
  expect(await bodies(store, inbox)).toEqual(["1", "2 again"]);
  await store.close();
  expect(await bodies(open(folder).store, inbox)).toEqual(["1", "2 again"]);
});

test("a closed store accepts nothing", async () => {
  const { store } = open(makeFolder());
  const inbox = inboxId();
  const adding = store.add(inbox, message("1"), kept);
  await adding;
  await store.close();
  const refused = [
    store.add(inbox, message("2"), kept),
    store.read(inbox, { limit: 1, kept }),
    store.get(inbox, "msg_1", kept),
    store.stats(inbox, kept),
    store.remove(inbox),
  ];
  for (const one of refused) await expect(one).rejects.toThrow("The store is closed.");
});

const kills = repeats(20);

test(`kill -9 under load, ${kills} times: no acknowledged message is lost, and none is duplicated`, async () => {
  const folder = makeFolder();
  const said = new Map<string, number[]>();
  for (let round = 0; round < kills; round++) {
    const child = startChild(`load:${round * 1_000_000}`, folder, { fixture });
    await child.said(/^kept/);
    await child.said(/^again/);
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 160));
    await child.kill();
    expect(child.lines.filter((line) => line.startsWith("error"))).toEqual([]);
    for (const line of child.lines) {
      const [word, inbox = "", n] = line.split(" ");
      if (word === "kept" && n !== undefined) said.set(inbox, [...(said.get(inbox) ?? []), Number(n)]);
    }
  }
  const { store, errors } = open(folder);
  for (const [inbox, numbers] of said) {
    const found = await store.read(inbox, { limit: 1_000_000, kept: { ...kept, ms: Infinity } });
    const there = new Set(found.map(({ body }) => Number(Buffer.from(body).toString().split(" ")[0])));
    expect(numbers.filter((n) => !there.has(n))).toEqual([]);
    const events = found.map(({ event }) => event);
    expect(new Set(events).size).toBe(events.length);
  }
  expect([...said.values()].flat().length).toBeGreaterThan(kills * 3);
  expect(errors).toEqual([]);
}, 600_000);

test("a full disk refuses, keeps stored messages, and accepts again once there is space", async () => {
  const folder = makeFolder();
  const child = startChild("fill", folder, { fixture, under: ["prlimit", "--fsize=60000:unlimited"] });
  const refused = await child.said(/^refused/);
  expect(refused).toMatch(/no space left/);
  await expect.poll(() => child.lines.filter((line) => line.startsWith("refused")).length).toBeGreaterThan(3);
  const before = child.lines.filter((line) => line.startsWith("kept")).length;
  execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=unlimited:unlimited"]);
  await expect
    .poll(() => child.lines.filter((line) => line.startsWith("kept")).length)
    .toBeGreaterThan(before + 5);
  await child.kill();
  const acknowledged = child.lines
    .filter((line) => line.startsWith("kept"))
    .map((line) => line.split(" ")[2]);
  const { store, errors } = open(folder);
  const found = (await bodies(store, `in_${"1".repeat(32)}`)).map((body) => body.split(" ")[0]);
  // The last one may have been stored without an answer.
  expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect(found.length - acknowledged.length).toBeLessThanOrEqual(1);
  expect(errors).toEqual([]);
});
