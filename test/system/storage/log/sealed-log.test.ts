import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readSealedLines } from "../../../../src/storage/log/read-sealed.ts";
import { payloadOf, toSealedLine } from "../../../../src/storage/log/sealed-line.ts";
import { createSealedLog, type Segment } from "../../../../src/storage/log/sealed-log.ts";
import { createSegments, type Place } from "../../../../src/storage/log/segments.ts";
import { makeFolder } from "../../../support/store.ts";

const headerLine = toSealedLine("v1").toString();

function openLog(
  folder: string,
  { from = 1, segmentBytes = Infinity }: { from?: Segment | number; segmentBytes?: number } = {},
) {
  const segments = createSegments(folder);
  const log = createSealedLog({
    folder,
    segments,
    from,
    header: () => headerLine,
    isFull: ({ size }) => size >= segmentBytes,
    next: ({ segment }) => segment + 1,
  });
  onTestFinished(() => log.close());
  const add = (...texts: string[]): Promise<readonly Place[]> =>
    log.commit({ lines: texts.map((text) => toSealedLine(text)), apply: (places) => places });
  return { log, segments, add };
}

/** Returns the texts of a file after its header, and where damage was found. */
async function read(path: string) {
  const texts: string[] = [];
  const damagedAt: number[] = [];
  const file = await readSealedLines(path, (payload, { offset }) => {
    if (payload === undefined) damagedAt.push(offset);
    else texts.push(payload.toString());
  });
  return { texts: texts[0] === "v1" ? texts.slice(1) : texts, damagedAt, ...file };
}

async function textsIn(folder: string): Promise<string[]> {
  const segments = createSegments(folder);
  const found: string[] = [];
  for (const segment of await segments.list()) found.push(...(await read(segments.path(segment))).texts);
  return found;
}

/** A method of every file handle. */
async function spyOn(method: "write" | "datasync" | "truncate") {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, method);
  onTestFinished(() => spy.mockRestore());
  return spy;
}

const failure = (code: string): Error => Object.assign(new Error(`${code}: refused`), { code });

test("lines are read back as they were added, from their places", async () => {
  const folder = makeFolder();
  const { log, segments, add } = openLog(folder);
  expect(existsSync(segments.path(1))).toBe(false);
  const texts = ["", "a", "é\u2028", "x".repeat(100_000), "\t\0"];
  const places = (await Promise.all(texts.map((text) => add(text)))).flat();
  expect(await textsIn(folder)).toEqual(texts);
  for (const [index, place] of places.entries())
    expect(payloadOf((await segments.read(place)) as Buffer).toString()).toBe(texts[index]);
  expect(log.last).toEqual({ segment: 1, size: statSync(segments.path(1)).size });
  expect(statSync(segments.path(1)).mode & 0o777).toBe(0o600);
  await log.close();
  await expect(add("late")).rejects.toThrow("closed");
  await expect(log.begin()).rejects.toThrow("closed");
});

test("concurrent acts keep their order, however many writes and segments they take", async () => {
  const folder = makeFolder();
  const { add, log } = openLog(folder, { segmentBytes: 3_000_000 });
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      await add(`${n} ${"x".repeat(250_000)}`, `${n} ${"y".repeat(250_000)}`);
      order.push(n);
    }),
  );
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  expect(order).toEqual(numbers);
  expect((await textsIn(folder)).map((text) => Number(text.split(" ")[0]))).toEqual(
    numbers.flatMap((n) => [n, n]),
  );
  expect(log.last.segment).toBeGreaterThan(2);
});

test("the first line of a segment shares the write and the sync of the first act", async () => {
  const folder = makeFolder();
  const { add } = openLog(folder);
  const [write, sync] = [await spyOn("write"), await spyOn("datasync")];
  await Promise.all([add("a"), add("b")]);
  expect([write.mock.calls.length, sync.mock.calls.length]).toEqual([1, 1]);
  expect(await textsIn(folder)).toEqual(["a", "b"]);
});

test("whatever a crash leaves of the last line, earlier lines are whole, and later ones are appended after them", async () => {
  const folder = makeFolder();
  const whole = openLog(folder);
  const texts = ["first", "second", "third"];
  const ends: number[] = [];
  for (const text of texts) {
    await whole.add(text);
    ends.push(whole.log.last.size);
  }
  const bytes = readFileSync(whole.segments.path(1));
  for (let cut = 0; cut <= bytes.length; cut++) {
    const copy = mkdtempSync(join(folder, "cut-"));
    const path = join(copy, "00000001.log");
    // A power failure may leave holes as well.
    writeFileSync(path, Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(cut % 3 === 2 ? 7 : 0)]));
    const left = ends.filter((end) => end <= cut).length;
    const found = await read(path);
    expect(found.texts).toEqual(texts.slice(0, left));
    expect(found.damagedAt).toEqual(found.size > found.kept ? [found.kept] : []);
    const again = openLog(copy, { from: { segment: 1, size: found.kept } });
    await again.add("new");
    expect(await textsIn(copy)).toEqual([...texts.slice(0, left), "new"]);
    expect(readFileSync(path).subarray(0, headerLine.length).toString()).toBe(headerLine);
  }
});

test("a changed byte is detected, and the lines around it are not lost", async () => {
  const folder = makeFolder();
  const { add, segments } = openLog(folder);
  const places = (await Promise.all(["first", "second", "third"].map((text) => add(text)))).flat();
  const path = segments.path(1);
  const bytes = readFileSync(path);
  const { offset = 0, length = 0 } = places[1] ?? {};
  for (let at = offset; at < offset + length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    writeFileSync(path, changed);
    const { texts, damagedAt, damaged } = await read(path);
    expect(texts[0]).toBe("first");
    expect(texts).not.toContain("second");
    // Without its line feed it also damages the next one.
    if (at < offset + length - 1)
      expect([texts, damagedAt, damaged]).toEqual([["first", "third"], [offset], 1]);
    expect(await segments.read(places[1] as Place)).toBeUndefined();
  }
});

test("an empty or missing file has no lines, and a missing folder no segments", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "empty"), "");
  for (const name of ["none", "empty"])
    expect(await read(join(folder, name))).toMatchObject({ texts: [], size: 0, kept: 0, damaged: 0 });
  await expect(read(folder)).rejects.toThrow("is not a regular file");
  expect(await createSegments(join(folder, "none")).list()).toEqual([]);
});

test.each([
  ["a write", "write", "ENOSPC", ["kept", "later"]],
  ["a sync", "datasync", "EIO", ["kept", "later"]],
] as const)(
  "after a failure of %s the acts are rejected whole, and the next go to another segment",
  async (_, method, code, texts) => {
    const folder = makeFolder();
    const { add, segments } = openLog(folder);
    await add("kept");
    (await spyOn(method)).mockRejectedValueOnce(failure(code));
    const refused = await Promise.allSettled([add("1", "2"), add("3")]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await textsIn(folder)).toEqual(["kept"]);
    const [place] = await add("later");
    expect(place?.segment).toBe(2);
    expect(await textsIn(folder)).toEqual(texts);
    expect(await segments.list()).toEqual([1, 2]);
  },
);

test("a segment whose first lines cannot be written leaves no file", async () => {
  const folder = join(makeFolder(), "later");
  const { add, segments } = openLog(folder);
  await expect(add("1")).rejects.toThrow("is gone");
  mkdirSync(folder);
  (await spyOn("write")).mockRejectedValueOnce(failure("ENOSPC"));
  await expect(add("2")).rejects.toThrow("no space left");
  expect(readdirSync(folder)).toEqual([]);
  await add("3");
  expect(await textsIn(folder)).toEqual(["3"]);
  expect(await segments.list()).toEqual([3]);
});

test("a segment is begun on demand, with its first line alone", async () => {
  const folder = makeFolder();
  const { log, add, segments } = openLog(folder);
  await add("a");
  await log.begin();
  expect(log.last).toEqual({ segment: 2, size: headerLine.length });
  expect(readFileSync(segments.path(2), "utf8")).toBe(headerLine);
  await add("b");
  expect(await segments.list()).toEqual([1, 2]);
});

test("what comes before the lines is written first, and refuses them if it fails", async () => {
  const folder = makeFolder();
  const order: string[] = [];
  let fails = false;
  const segments = createSegments(folder);
  const log = createSealedLog<{ name: string; length: number }>({
    folder,
    segments,
    from: 1,
    header: () => headerLine,
    isFull: () => false,
    next: ({ segment }) => segment + 1,
    async writeFirst(first) {
      order.push(`first ${first.map(({ name }) => name).join(" ")}`);
      if (fails) throw failure("ENOSPC");
    },
    requireRoom: (_, bytes) => void order.push(`room ${bytes}`),
  });
  onTestFinished(() => log.close());
  const act = (name: string) =>
    log.commit({
      lines: [toSealedLine(name)],
      first: [{ name, length: 100 }],
      apply: () => void order.push(`applied ${name}`),
    });
  await Promise.all([act("a"), act("b")]);
  expect(order).toEqual(["room 222", "first a b", "applied a", "applied b"]);
  fails = true;
  await expect(act("c")).rejects.toThrow("no space left");
  expect(await textsIn(folder)).toEqual(["a", "b"]);
});

test("files are open while they are read only, unless the log keeps them open", async () => {
  const folder = makeFolder();
  const { add } = openLog(folder);
  const [place] = (await add("a")) as [Place];
  const openFiles = (): number =>
    readdirSync("/proc/self/fd").filter((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
      } catch {
        return false;
      }
    }).length;
  const written = process.platform === "linux" ? openFiles() : 0;
  for (const keepsOpen of [false, true]) {
    const segments = createSegments(folder, { keepsOpen });
    const lines = await Promise.all(Array.from({ length: 20 }, () => segments.read(place)));
    expect(new Set(lines.map((line) => payloadOf(line as Buffer).toString()))).toEqual(new Set(["a"]));
    if (process.platform === "linux") expect(openFiles() - written).toBe(keepsOpen ? 1 : 0);
    await segments.close();
    await expect(segments.read(place)).rejects.toThrow("closed");
    if (process.platform === "linux") expect(openFiles()).toBe(written);
  }
});

test("a file that cannot be opened is tried again by the next read", async () => {
  const folder = makeFolder();
  const segments = createSegments(folder, { keepsOpen: true });
  const line = toSealedLine("a");
  const place = { segment: 1, offset: 0, length: line.length };
  await expect(segments.read(place)).rejects.toThrow("ENOENT");
  writeFileSync(segments.path(1), line);
  expect(await segments.read(place)).toEqual(line);
  await segments.remove([1]);
  expect(await segments.list()).toEqual([]);
  await segments.close();
});
