import { createHash } from "node:crypto";
import { readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { emptyFolder } from "./harness.ts";
import { cases, maxLonger } from "../../support/cases.ts";
import {
  blockMemory,
  blockRuns,
  measure,
  writeBlockDocument,
  writeBytes,
  writeRecords,
} from "./large-files.ts";

const folder = emptyFolder();
const MB = 1_000_000;
let records = 0;
let idle = 0;

beforeAll(async () => {
  records = writeRecords(join(folder.path, "records.json"), 32 * MB);
  writeBytes(join(folder.path, "bytes"), 40 * MB);
  idle = (await measure(folder.path, ["run", "uuid-generator"])).peak;
  return () => folder.remove();
});

const runs: readonly [string, string[]][] = [
  ["json-formatter", ["records.json"]],
  ["json-formatter", ["--indent", "10", "records.json"]],
  ["json-minifier", ["records.json"]],
  ["json-validator", ["records.json"]],
  ["sri-generator", ["bytes"]],
  ["hmac-generator", ["--key", "k", "bytes"]],
  ["hash-generator", ["bytes"]],
];

test.each(cases(runs, maxLonger))(
  "run %s %j needs at most three times the memory of document and result",
  async (slug, words) => {
    const { status, stderr, written, peak } = await measure(folder.path, ["run", slug, ...words]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(peak - idle).toBeLessThan(3 * (records + written));
  },
);

test.each(cases(blockRuns, maxLonger))(
  "of %s run %s needs the same memory for any document",
  async (kind, ...words) => {
    writeBlockDocument(join(folder.path, kind), kind, 120 * MB);
    const { status, stderr, peak } = await measure(folder.path, ["run", ...words, kind]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(peak - idle).toBeLessThan(blockMemory);
  },
);

test.each(["76", "0"])(
  "base64 in lines of %s gives the bytes back, in three times the memory of document and result both ways",
  async (length) => {
    const words = length === "0" ? [] : ["--line-length", length];
    const encoded = await measure(folder.path, ["run", "base64-encoder", ...words, "bytes"]);
    expect([encoded.status, encoded.stderr]).toEqual([0, ""]);
    expect(encoded.peak - idle).toBeLessThan(3 * (records + encoded.written));
    renameSync(join(folder.path, "result"), join(folder.path, "encoded"));
    const { status, written, peak } = await measure(folder.path, ["run", "base64-decoder", "encoded"]);
    expect(status).toBe(0);
    expect(peak - idle).toBeLessThan(3 * (written + written * 1.37));
    const digest = (file: string) =>
      createHash("sha256")
        .update(readFileSync(join(folder.path, file)))
        .digest("hex");
    expect(digest("result")).toBe(digest("bytes"));
  },
);

test.each([
  ["run", "json-formatter", 3000, "1,073,741,824 bytes (1,024 MiB)"],
  ["check", "json-validator", 3000, "1,073,741,824 bytes (1,024 MiB)"],
  ["run", "json-to-yaml", 200, "134,217,728 bytes (128 MiB)"],
])("%s %s refuses a file of %d MB with its size and the limit", async (command, slug, megabytes, limit) => {
  writeFileSync(join(folder.path, "sparse"), "");
  truncateSync(join(folder.path, "sparse"), megabytes * MB);
  const { status, stderr, peak } = await measure(folder.path, [command, slug, "sparse"]);
  expect(status).toBe(2);
  const size = (megabytes * MB).toLocaleString("en-US");
  expect(stderr).toContain(`sparse is too large: it has ${size} bytes`);
  expect(stderr).toContain(`${slug} takes at most ${limit}.`);
  // The document was not read.
  expect(peak - idle).toBeLessThan(100 * MB);
});

test("a fault at the end of a long line is shown without the whole line", async () => {
  writeFileSync(join(folder.path, "cut"), `[${'"é",'.repeat(7 * MB)}`);
  const { status, stderr, peak } = await measure(folder.path, ["run", "json-formatter", "cut"]);
  expect(status).toBe(1);
  expect(stderr).toContain(`cut:1:${7 * MB * 4 + 2}: The document ends too early`);
  expect(stderr.split("\n")[1]).toMatch(/^1 \| …("é",){15}$/);
  expect(peak - idle).toBeLessThan(3 * 7 * MB * 5);
});
