import { posix } from "node:path";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readImports } from "./imports.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const sources = new Map(
  globSync("src/**/*.{ts,tsx}", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .map((path) => [path, read(path)] as const),
);
const tests = globSync("test/{unit,system,long}/**/*.ts", {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
}).map(read);

const maxLines = 40;

/** Folders whose files are of one kind, a file for each. */
const uniform = [
  "src/lib/openapi",
  "src/lib/secrets/vendors",
  "src/services/doctor",
  "src/surfaces/cli/check/formats",
  "src/surfaces/rest",
];
/** `$dynamicRef`, which the specification describes as one thing. */
const exempt = ["src/lib/json-schema/dynamic.ts", "src/lib/json/printer-wasm.ts"];
/** The pages are split by what a browser loads. */
const pages = "src/surfaces/web/page/";

const importers = new Map<string, string[]>();
for (const [path, source] of sources)
  for (const { from } of readImports(source)) {
    const target = posix.join(posix.dirname(path), from);
    // What is loaded on first use must be a script of its own.
    const isLazy = source.includes(`import("${from}")`);
    if (from.startsWith(".")) importers.set(target, [...(importers.get(target) ?? []), isLazy ? "" : path]);
  }

/** Whether a small file has one importer, which is beside it and has room for it. */
function belongsToImporter([path, source]: readonly [string, string]): boolean {
  const folder = posix.dirname(path);
  const [importer = "", ...others] = [...new Set(importers.get(path))];
  const lines = (text: string): number => text.split("\n").length;
  return (
    lines(source) <= maxLines + 1 &&
    others.length === 0 &&
    posix.dirname(importer) === folder &&
    lines(sources.get(importer) ?? "") + lines(source) <= 280 &&
    // A test of its own shows that it is a part with a meaning.
    !tests.some((text) => text.includes(path))
  );
}

test("a small file with one importer beside it is merged into it, except in sets of one kind", () => {
  const small = [...sources]
    .filter(
      ([path]) => !uniform.includes(posix.dirname(path)) && !path.startsWith(pages) && !exempt.includes(path),
    )
    .filter(belongsToImporter)
    .map(([path]) => path);
  expect(small).toEqual([]);
});
