import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packWithCaches } from "../../../config/build/code-cache.ts";

test("the same scripts give the same code caches in every process", () => {
  const scripts = {
    one: "(function (exports) {exports.a = () => 'a text'; class B { c() { return 1; } }\n})",
    "two/three": "(function (exports) {exports.d = async (e) => await e;\n})",
  };
  const [first, again] = [packWithCaches(scripts), packWithCaches(scripts)];
  expect(Buffer.compare(first, again)).toBe(0);
  expect(Buffer.from(first).toString("latin1", 0, 200)).toMatch(/^\none \d{9} \d{9} \d{9}\ntwo\/three /);
});

test("no code cache is made in memory that V8 has collected, because the cache would show what was there", () => {
  const folder = mkdtempSync(join(tmpdir(), "penknife-code-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const functions = Array.from(
    { length: 20_000 },
    (_, index) => `exports.f${index} = () => "text ${index}";`,
  );
  const scripts = { long: `(function (exports) {${functions.join("\n")}\n})` };
  writeFileSync(join(folder, "scripts.json"), JSON.stringify(scripts));
  const program = new URL("../../../config/build/code-cache.ts", import.meta.url).pathname;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--max-old-space-size=24", program, join(folder, "scripts.json"), join(folder, "packed")],
    { encoding: "utf8", env: {} },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/Error: V8 collected garbage \d+ times/)]);
  // The build starts it with enough memory.
  packWithCaches(scripts);
});
