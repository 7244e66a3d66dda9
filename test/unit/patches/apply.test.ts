import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch, parsePatch, reversePatch } from "diff";
import { afterAll, beforeEach, expect, test } from "vitest";
import { applyPatches } from "../../../config/patches/apply.ts";

const root = mkdtempSync(join(tmpdir(), "penknife-patches-"));
afterAll(() => rmSync(root, { recursive: true }));

const [modules, patches] = [join(root, "modules"), join(root, "patches")];
const file = join(modules, "some-library/lib/a.js");
const original = "const one = 1;\nconst two = 2;\nconst three = 3;\n";
const patched = "const one = 1;\nconst two = 22;\nconst three = 3;\n";
const patch = `Why, in words.

--- a/lib/a.js
+++ b/lib/a.js
@@ -1,3 +1,3 @@
 const one = 1;
-const two = 2;
+const two = 22;
 const three = 3;
`;

function install(version: string, text: string): void {
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(join(modules, "some-library/lib"), { recursive: true });
  writeFileSync(join(modules, "some-library/package.json"), JSON.stringify({ version }));
  writeFileSync(file, text);
}

beforeEach(() => {
  rmSync(patches, { recursive: true, force: true });
  mkdirSync(patches);
  writeFileSync(join(patches, "some-library@1.2.3.patch"), patch);
});

test("a library is patched once, however often the patches are applied", () => {
  install("1.2.3", original);
  for (let run = 0; run < 3; run++) {
    applyPatches(modules, patches);
    expect(readFileSync(file, "utf8")).toBe(patched);
  }
  expect(readdirSync(join(modules, "some-library/lib"))).toEqual(["a.js"]);
});

test("a file that another installation shares as a hard link stays unchanged there", () => {
  install("1.2.3", original);
  const shared = join(root, "shared.js");
  linkSync(file, shared);
  applyPatches(modules, patches);
  expect([readFileSync(file, "utf8"), readFileSync(shared, "utf8")]).toEqual([patched, original]);
});

test.each([
  ["another version", "1.2.4", original, "is for some-library 1.2.3, but 1.2.4 is installed"],
  ["a changed file", "1.2.3", "const one = 2;\n", "does not apply to"],
])("%s is an error, and nothing is written", (_, version, text, message) => {
  install(version, text);
  expect(() => applyPatches(modules, patches)).toThrow(message);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a library that is not installed is an error", () => {
  rmSync(modules, { recursive: true, force: true });
  expect(() => applyPatches(modules, patches)).toThrow("but no version is installed");
});

test("the installed libraries are patched", () => {
  const folder = new URL("../../../config/patches/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".patch"));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const library = name.slice(0, name.lastIndexOf("@")).replace("+", "/");
    for (const change of parsePatch(readFileSync(new URL(name, folder), "utf8"))) {
      const path = `../../../node_modules/${library}/${(change.newFileName ?? "").slice("b/".length)}`;
      const source = readFileSync(new URL(path, import.meta.url), "utf8");
      expect([path, applyPatch(source, reversePatch(change))]).toEqual([path, expect.any(String)]);
      expect(applyPatch(source, change)).toBe(false);
    }
  }
});
