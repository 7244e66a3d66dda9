import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAppendLog, readLog } from "../../../src/storage/append-log.ts";
import { openSealedLine } from "../../../src/storage/sealed-line.ts";
import { makeFolder } from "./drivers.ts";

async function textsIn(path: string, damaged: number[] = []): Promise<string[]> {
  const texts: string[] = [];
  for await (const { payload } of readLog(path, (offset) => void damaged.push(offset)))
    texts.push(payload.toString());
  return texts;
}

async function endOf(path: string): Promise<number> {
  let end = 0;
  for await (const { offset, length } of readLog(path)) end = offset + length;
  return end;
}

test("lines are read back as they were added, from their recorded offsets", async () => {
  const path = join(makeFolder(), "log");
  const log = createAppendLog(path);
  const texts = ["", "a", "é\u2028", "x".repeat(100_000), "\t\0"];
  const places = await Promise.all(texts.map((text) => log.append(text)));
  expect(await textsIn(path)).toEqual(texts);
  const bytes = readFileSync(path);
  for (const [index, { offset, length }] of places.entries()) {
    expect(openSealedLine(bytes.subarray(offset, offset + length))?.toString()).toBe(texts[index]);
  }
  expect(log.size).toBe(bytes.length);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await log.close();
  await expect(log.append("late")).rejects.toThrow("closed");
});

test("concurrent additions keep their order, however many writes they take", async () => {
  const path = join(makeFolder(), "log");
  const log = createAppendLog(path);
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      await log.append(`${n} ${"x".repeat(500_000)}`);
      order.push(n);
    }),
  );
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  expect(order).toEqual(numbers);
  expect((await textsIn(path)).map((text) => Number(text.split(" ")[0]))).toEqual(numbers);
  await log.close();
});

test("whatever a crash leaves of the last line, earlier lines are whole, and later ones are appended after them", async () => {
  const folder = makeFolder();
  const whole = join(folder, "whole");
  const log = createAppendLog(whole);
  const texts = ["first", "second", "third"];
  const ends: number[] = [];
  for (const text of texts) {
    await log.append(text);
    ends.push(log.size);
  }
  await log.close();
  const bytes = readFileSync(whole);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const path = join(folder, `cut-${cut}`);
    // A power failure may leave holes as well.
    writeFileSync(path, Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(cut % 3 === 2 ? 7 : 0)]));
    const kept = ends.filter((end) => end <= cut).length;
    const damaged: number[] = [];
    expect(await textsIn(path, damaged)).toEqual(texts.slice(0, kept));
    expect(damaged).toEqual([]);
    const again = createAppendLog(path, await endOf(path));
    await again.append("new");
    await again.close();
    expect(await textsIn(path)).toEqual([...texts.slice(0, kept), "new"]);
  }
});

test("a changed byte is detected, and the lines around it are not lost", async () => {
  const path = join(makeFolder(), "log");
  const log = createAppendLog(path);
  const places = [];
  for (const text of ["first", "second", "third"]) places.push(await log.append(text));
  await log.close();
  const bytes = readFileSync(path);
  const { offset = 0, length = 0 } = places[1] ?? {};
  for (let at = offset; at < offset + length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    writeFileSync(path, changed);
    const damaged: number[] = [];
    const found = await textsIn(path, damaged);
    expect(found[0]).toBe("first");
    expect(found).not.toContain("second");
    // Without its line feed it also damages the next one.
    if (at < offset + length - 1) expect([found, damaged]).toEqual([["first", "third"], [offset]]);
  }
});

test("an empty or missing file has no lines", async () => {
  const folder = makeFolder();
  expect(await textsIn(join(folder, "none"))).toEqual([]);
  appendFileSync(join(folder, "empty"), "");
  expect(await textsIn(join(folder, "empty"))).toEqual([]);
  await expect(textsIn(folder)).rejects.toThrow("is not a regular file");
});

test("a line that could not be written is not kept, and the next one is", async () => {
  const folder = makeFolder();
  const path = join(folder, "later", "log");
  const log = createAppendLog(path);
  const refused = await Promise.allSettled([log.append("1"), log.append("2")]);
  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  mkdirSync(join(folder, "later"));
  expect(log.spoilt).toBe(false);
  expect(await log.append("3")).toMatchObject({ offset: 0 });
  await log.close();
  expect(await textsIn(path)).toEqual(["3"]);
});

test("anything beyond the end that was found is truncated with the first line", async () => {
  const folder = makeFolder();
  const path = join(folder, "log");
  const log = createAppendLog(path);
  await log.append("first");
  const { size } = log;
  await log.append("second");
  await log.close();
  const again = createAppendLog(path, size);
  expect(await textsIn(path)).toEqual(["first", "second"]);
  await again.append("third");
  await again.close();
  expect(await textsIn(path)).toEqual(["first", "third"]);
  truncateSync(path, 0);
  renameSync(path, join(folder, "moved"));
  expect(await textsIn(path)).toEqual([]);
});
