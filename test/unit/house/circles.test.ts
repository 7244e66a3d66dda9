import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { findCircles } from "./circles.ts";
import { readImports } from "./imports.ts";

const root = new URL("../../../src/", import.meta.url);
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.m?tsx?$/.test(path))
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => [path, readFileSync(new URL(path, root), "utf8")] as const),
);

/** Lists what each file of src loads at run time, at once or on first use. `import type` loads nothing. */
function readGraph(files: ReadonlyMap<string, string>): Map<string, string[]> {
  return new Map(
    [...files].map(([path, source]) => [
      path,
      readImports(source)
        .filter(({ from, typeOnly }) => from.startsWith(".") && !typeOnly)
        .map(({ from }) => posix.join(posix.dirname(path), from)),
    ]),
  );
}

test("files do not import one another in a circle, except for types", () => {
  const graph = readGraph(sources);
  // A path that does not resolve would hide a circle.
  const missing = [...graph.values()].flat().filter((path) => path.endsWith(".ts") && !sources.has(path));
  expect(missing).toEqual([]);
  expect([...graph.values()].flat().length).toBeGreaterThan(1000);
  expect(findCircles(graph)).toEqual([]);
});

test.each<[string, Record<string, string>, string[][]]>([
  [
    "a circle of two",
    { "a/a.ts": 'import { b } from "../b.ts";', "b.ts": 'import { a } from "./a/a.ts";' },
    [["a/a.ts", "b.ts"]],
  ],
  [
    "a circle of three, one import of them dynamic",
    {
      "a.ts": 'import { b } from "./b.ts";',
      "b.ts": 'const c = await import("./c.ts");',
      "c.ts": 'import {\n  type A,\n  a,\n} from "./a.ts";',
    },
    [["a.ts", "b.ts", "c.ts"]],
  ],
  ["a file that imports itself", { "a.ts": 'import { a } from "./a.ts";' }, [["a.ts"]]],
  [
    "two circles with a chain between them",
    {
      "a.ts": 'import "./b.ts";',
      "b.ts": 'import "./a.ts";\nimport "./c.ts";',
      "c.ts": 'import "./d.ts";',
      "d.ts": 'import "./e.ts";',
      "e.ts": 'import "./d.ts";',
    },
    [
      ["d.ts", "e.ts"],
      ["a.ts", "b.ts"],
    ],
  ],
  [
    "a type is no circle",
    { "a.ts": 'import type { B } from "./b.ts";', "b.ts": 'import { a } from "./a.ts";' },
    [],
  ],
  [
    "two ways to one file are no circle",
    {
      "a.ts": 'import "./b.ts";\nimport "./c.ts";',
      "b.ts": 'import "./d.ts";',
      "c.ts": 'import "./d.ts";',
      "d.ts": "",
    },
    [],
  ],
])("%s", (_, files, circles) => {
  expect(findCircles(readGraph(new Map(Object.entries(files))))).toEqual(circles);
});
