import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyFolder } from "../e2e/harness.ts";
import { shell } from "./spawn.ts";

/** A document above 16 MiB is run block by block. */
const { path: cwd, remove } = emptyFolder();
const line = '{"level":"info","message":"Zürich, 😀"}\n';
const count = 450_000;
const document = line.repeat(count);
const bytes = Buffer.byteLength(document);

beforeAll(() => {
  writeFileSync(join(cwd, "log"), document);
  return remove;
});

const run = (words: string) => shell(words, { cwd });

describe("a document above 16 MiB", () => {
  test.each([
    ["log", ""],
    ["a pipe", "cat log | "],
    ["<(…)", ""],
  ])("is run from %s with the result of a whole one", async (from, before) => {
    const file = from === "log" ? "log" : from === "a pipe" ? "-" : "<(cat log)";
    const { stdout, stderr, status } = await run(
      `${before}penknife run line-filter --pattern '"info"' ${file}`,
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.equals(Buffer.from(document))).toBe(true);
  });

  test("has its digest, and a last line end where the result has none", async () => {
    const { stdout } = await run("cat log | penknife run hash-generator");
    expect(stdout.toString()).toBe(`${createHash("sha256").update(document).digest("hex")}\n`);
    const encoded = await run(
      "penknife run base64-encoder --out encoded log && penknife run base64-encoder - < log",
    );
    expect(encoded.stdout.equals(readFileSync(join(cwd, "encoded")))).toBe(true);
    expect(encoded.stdout.toString()).toBe(Buffer.from(document).toString("base64"));
  });

  test("gives a report and its exit status", async () => {
    const expected = "d41d8cd98f00b204e9800998ecf8427e";
    expect((await run("penknife run ndjson-validator --check log")).status).toBe(0);
    expect((await run(`penknife run checksum-verifier --expected ${expected} log`)).status).toBe(1);
    expect(
      (await run(`penknife run checksum-verifier --report-only --expected ${expected} log`)).status,
    ).toBe(0);
    const { stdout, status } = await run("(cat log; echo '{') | penknife run ndjson-validator");
    expect(status).toBe(1);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      errors: [{ line: count + 1, column: 2, offset: bytes + 1 }],
    });
  });

  test("is refused at a fault with its line, after what precedes it", async () => {
    const { stdout, stderr, status } = await run(
      `(cat log; printf 'é\\377') | penknife run line-filter --pattern zzz --invert`,
    );
    expect(status).toBe(1);
    expect(stdout.toString().slice(0, line.length)).toBe(line);
    expect(stderr).toBe(
      `penknife: <stdin>:${count + 1}:2: The document is not UTF-8: byte ${bytes + 2} does not begin a character.\n`,
    );
  });

  test("is refused with an option that the tool refuses, as a small one is", async () => {
    const large = await run("penknife run line-filter --pattern '(' --mode re2 log");
    const small = await run("penknife run line-filter --pattern '(' --mode re2 --text a");
    expect([large.status, large.stderr]).toEqual([small.status, small.stderr]);
    expect(large.status).toBe(2);
  });

  test("writes no file if it is refused", async () => {
    const { status } = await run(`(cat log; printf '\\377') | penknife run ansi-stripper --out none -`);
    expect([status, existsSync(join(cwd, "none"))]).toEqual([1, false]);
  });

  test("ends with its reader", async () => {
    const { stdout, stderr } = await run("yes | penknife run line-filter --pattern y | head -n 1");
    expect([stdout.toString(), stderr]).toEqual(["y\n", ""]);
  });
});
