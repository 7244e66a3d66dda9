import { createHash } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { beforeAll, expect, test } from "vitest";
import { emptyFolder } from "../system/e2e/harness.ts";
import {
  blockMemory,
  blockRuns,
  measure,
  writeBlockDocument,
  writeBytes,
  writeRecords,
} from "../system/e2e/large-files.ts";

/** 512 MB and more with each tool that accepts it; needs 4 GB of memory and disk. */
const folder = emptyFolder();
const MB = 1_000_000;
const sizes = { "records.json": 0, bytes: 0 };
let idle = 0;

beforeAll(async () => {
  sizes["records.json"] = writeRecords(join(folder.path, "records.json"), 512 * MB);
  sizes.bytes = writeBytes(join(folder.path, "bytes"), 700 * MB);
  idle = (await measure(folder.path, ["run", "uuid-generator"])).peak;
  return () => folder.remove();
});

test.each([
  ["json-formatter", "records.json"],
  ["json-minifier", "records.json"],
  ["json-validator", "records.json"],
  ["base64-encoder", "bytes"],
  ["hash-generator", "bytes"],
  ["sri-generator", "bytes"],
] as const)("run %s %s", async (slug, file) => {
  const { status, stderr, written, peak } = await measure(folder.path, ["run", slug, file]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(peak - idle).toBeLessThan(3 * (sizes[file] + written));
});

test.each(blockRuns)("of %s run %s needs the same memory for any document", async (kind, ...words) => {
  writeBlockDocument(join(folder.path, kind), kind, 700 * MB);
  const { status, stderr, peak } = await measure(folder.path, ["run", ...words, kind]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(peak - idle).toBeLessThan(blockMemory);
});

test.each(["0", "76"])("base64 in lines of %s gives the bytes back", async (length) => {
  await measure(folder.path, ["run", "base64-encoder", "--line-length", length, "--out", "encoded", "bytes"]);
  const { status, written, peak } = await measure(folder.path, ["run", "base64-decoder", "encoded"]);
  expect(status).toBe(0);
  expect(peak - idle).toBeLessThan(3 * written * 2.33);
  expect(await digest("result")).toBe(await digest("bytes"));
});

test("a document that needs too much memory is refused in one sentence", async () => {
  writeFileSync(join(folder.path, "wide.json"), `[${"[[[]],{}],".repeat(12 * MB)}1]`);
  const { status, stderr } = await measure(folder.path, ["run", "json-sorter", "wide.json"]);
  expect([status, stderr]).toEqual([1, "penknife: The tool was stopped at 3072 MB of memory, the limit.\n"]);
});

async function digest(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(folder.path, file)), hash);
  return hash.digest("hex");
}
