import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import { type FileHandle, open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { StoreError } from "../../../../src/storage/errors.ts";
import { openInboxLog } from "../../../../src/storage/inbox/inbox-log.ts";
import type { Kept, Message } from "../../../../src/storage/inbox/inbox-store.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { makeFolder } from "../../../support/store.ts";

const day = 86_400_000;
const kept: Kept = { messages: 100, ms: 7 * day, bytes: Infinity };
const clock = { now: Date.now() };
const admit = (): void => {};

async function open(folder: string) {
  const errors: StoreError[] = [];
  const runtime = testRuntime({ now: () => clock.now });
  const log = await openInboxLog(folder, { runtime, onError: (error) => void errors.push(error) });
  onTestFinished(() => log.close());
  return { log, errors };
}

const message = (body: string, changes: Partial<Message> = {}): Message => ({
  id: `msg_${body.slice(0, 9)}`,
  at: clock.now,
  method: "POST",
  query: "",
  headers: [],
  body: Buffer.from(body),
  signature: "valid",
  ...changes,
});

test("the count of duplicates outlasts its messages, also if the disk refuses the next file", async () => {
  const folder = makeFolder();
  const { log } = await open(folder);
  await log.add(message("1", { event: "a" }), kept, admit);
  await log.add(message("again", { event: "a" }), kept, admit);
  await expect
    .poll(() => readFileSync(join(folder, "00000001.log"), "utf8"))
    .toContain(' {"duplicates":1}\n');
  clock.now += 8 * day;
  const handle = await openFile(import.meta.filename);
  const write = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "write");
  onTestFinished(() => write.mockRestore());
  await handle.close();
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  write.mockRejectedValueOnce(full);
  await expect(log.add(message("2"), kept, admit)).rejects.toThrow("no space left");
  write.mockRejectedValueOnce(full);
  await expect(log.sweep(kept)).rejects.toThrow("no space left");
  expect(readdirSync(folder)).toEqual(["00000001.log"]);
  await log.close();
  const { log: again } = await open(folder);
  expect(again.stats(kept)).toEqual({ messages: 0, duplicates: 1 });
  await again.sweep(kept);
  expect(readFileSync(join(folder, readdirSync(folder)[0] as string), "utf8")).toMatch(
    /^[0-9a-f]{8} \{"v":1,"duplicates":1\}\n$/,
  );
});

test("a file without kept messages that cannot be removed is reported, and removed after a restart", async () => {
  const folder = makeFolder();
  const { log, errors } = await open(folder);
  const one = { ...kept, messages: 1 };
  await log.add(message("x".repeat(1_000_000)), one, admit);
  const file = join(folder, "00000001.log");
  // Root could remove anything but a folder.
  renameSync(file, `${file}.moved`);
  mkdirSync(file);
  await log.add(message("2"), one, admit);
  await log.close();
  expect(errors).toMatchObject([{ operation: "write" }]);
  rmdirSync(file);
  renameSync(`${file}.moved`, file);
  const { log: again } = await open(folder);
  expect((await again.read({ limit: 10, kept: one })).map(({ id }) => id)).toEqual(["msg_2"]);
  await again.sweep(one);
  expect(readdirSync(folder)).toEqual(["00000002.log"]);
});
