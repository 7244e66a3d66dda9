import { expect, test } from "vitest";
import type { FileAccess } from "../../../src/checks/files.ts";
import { createLeftOutCount } from "../../../src/checks/left-out.ts";
import { createWorkTree } from "../../../src/checks/work-tree.ts";

const limit = { bytes: 1_048_576, slug: "json-sorter" };

/** Reads one file of a work tree in which every read has this outcome. */
async function read(readRegular: FileAccess["readRegular"]) {
  const leftOut = createLeftOutCount();
  const files = { readRegular } as FileAccess;
  const tree = createWorkTree({ folder: "/r", paths: ["a"], ignored: new Set(), files, leftOut });
  return { found: await tree.read("a", limit), leftOut: leftOut.all() };
}

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test("a file above the limit of its tools is not read into memory", async () => {
  const asked: number[] = [];
  const { found } = await read((path, most) => {
    asked.push(most);
    expect(path).toBe("/r/a");
    return { size: 2_097_152, start: new Uint8Array() };
  });
  expect(asked).toEqual([limit.bytes]);
  expect(found).toEqual({
    unread:
      "a is too large: it has 2,097,152 bytes (2 MiB), and json-sorter takes at most 1,048,576 bytes (1 MiB).",
  });
});

test.each([
  ["EACCES", { unread: "a cannot be read: permission denied" }],
  ["EIO", { unread: "a cannot be read: the disk reported an input/output error", failed: true }],
])("%s is a wrong call or a failure of the machine", async (code, expected) => {
  expect(await read(failing(code))).toEqual({ found: expected, leftOut: [] });
});

test("a file that is gone since it was listed is none to check, and what is no file is left out", async () => {
  expect(await read(() => "missing")).toEqual({ found: "skipped", leftOut: [] });
  expect(await read(() => "link")).toEqual({ found: "skipped", leftOut: [{ reason: "link", files: 1 }] });
  expect(await read(() => "special")).toEqual({
    found: "skipped",
    leftOut: [{ reason: "special-file", files: 1 }],
  });
});
