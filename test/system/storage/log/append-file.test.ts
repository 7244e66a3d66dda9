import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { appendOnce, openAppendFile } from "../../../../src/storage/log/append-file.ts";
import { makeFolder } from "../../../support/store.ts";

const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
const textOf = (path: string): string => readFileSync(path, "utf8");

/** A method of every file handle. */
async function spyOn(method: "write" | "datasync" | "truncate" | "sync") {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, method);
  onTestFinished(() => spy.mockRestore());
  return spy;
}

test("a header begins a new file, in the same write and sync as the first bytes", async () => {
  const path = join(makeFolder(), "log");
  const [write, sync] = [await spyOn("write"), await spyOn("datasync")];
  const file = await openAppendFile(path, { header: "v1\n" });
  expect(textOf(path)).toBe("");
  expect(await file.append(Buffer.from("a\n"))).toBe(3);
  expect([write.mock.calls.length, sync.mock.calls.length]).toEqual([1, 1]);
  expect(await file.append(Buffer.from("b\n"))).toBe(5);
  expect(file.size).toBe(7);
  await file.close();
  expect(await appendOnce(path, "c\n", { header: "v1\n" })).toBe(9);
  expect(textOf(path)).toBe("v1\na\nb\nc\n");
});

test("the next bytes end a line that a crash has torn, or follow what is kept", async () => {
  const path = join(makeFolder(), "log");
  writeFileSync(path, "a\nb");
  const file = await openAppendFile(path, { header: "v1\n" });
  expect(await file.append(Buffer.from("c\n"))).toBe(4);
  await file.close();
  expect(textOf(path)).toBe("a\nb\nc\n");
  const cut = await openAppendFile(path, { keep: 2 });
  expect(await cut.append(Buffer.from("d\n"))).toBe(2);
  await cut.close();
  expect(textOf(path)).toBe("a\nd\n");
});

test("a file that must be new leaves one that exists as it is", async () => {
  const path = join(makeFolder(), "log");
  writeFileSync(path, "a\n");
  await expect(openAppendFile(path, { isNew: true })).rejects.toThrow("EEXIST");
  expect(textOf(path)).toBe("a\n");
});

test("a new file whose folder cannot be synced is removed, or tried again", async () => {
  const path = join(makeFolder(), "log");
  const sync = await spyOn("sync");
  sync.mockRejectedValueOnce(noSpace);
  await expect(openAppendFile(path, { isNew: true })).rejects.toThrow("ENOSPC");
  expect(existsSync(path)).toBe(false);
  sync.mockRejectedValueOnce(noSpace);
  await expect(appendOnce(path, "a\n")).rejects.toThrow("ENOSPC");
  sync.mockClear();
  await appendOnce(path, "b\n");
  expect(sync).toHaveBeenCalledTimes(1);
  expect(textOf(path)).toBe("b\n");
});

test("bytes of which only a part was written are cut off, and the header comes with the next", async () => {
  const path = join(makeFolder(), "log");
  const file = await openAppendFile(path, { header: "v1\n" });
  const write = await spyOn("write");
  for (const text of ["a\n", "b\n"]) {
    const before = textOf(path);
    write.mockImplementationOnce(async function (this: FileHandle, bytes: unknown) {
      await this.write(bytes as Buffer, 0, 1);
      throw noSpace;
    } as never);
    await expect(file.append(Buffer.from("refused\n"))).rejects.toThrow("ENOSPC");
    expect(textOf(path)).toBe(before);
    expect(file.spoilt).toBe(false);
    await file.append(Buffer.from(text));
  }
  await file.close();
  expect(textOf(path)).toBe("v1\na\nb\n");
});

test("a short write is continued", async () => {
  const path = join(makeFolder(), "log");
  const write = await spyOn("write");
  write.mockImplementationOnce(function (this: FileHandle, bytes: unknown) {
    return this.write(bytes as Buffer, 0, 3);
  } as never);
  await appendOnce(path, "abcdef\n");
  expect(textOf(path)).toBe("abcdef\n");
});

test.each(["datasync", "truncate"] as const)("nothing is appended after a failure of %s", async (method) => {
  const path = join(makeFolder(), "log");
  const file = await openAppendFile(path);
  await file.append(Buffer.from("a\n"));
  if (method === "truncate") (await spyOn("write")).mockRejectedValueOnce(noSpace);
  (await spyOn(method)).mockRejectedValueOnce(new Error(`EIO: ${method}`));
  await expect(file.append(Buffer.from("b\n"))).rejects.toThrow(/EIO|ENOSPC/);
  expect(file.spoilt).toBe(true);
  await expect(file.append(Buffer.from("c\n"))).rejects.toThrow(`EIO: ${method}`);
  await file.close();
  expect(textOf(path)).toBe("a\n");
});

test("bytes that need not survive a power failure are not synced", async () => {
  const path = join(makeFolder(), "log");
  const [data, folder] = [await spyOn("datasync"), await spyOn("sync")];
  await appendOnce(path, "a\n", { sync: false });
  expect([data.mock.calls.length, folder.mock.calls.length]).toEqual([0, 0]);
  expect(textOf(path)).toBe("a\n");
});
