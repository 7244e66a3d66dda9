import { expect, test } from "vitest";
import patcher from "../../../../src/tools/json/json-patcher.ts";
import tool from "../../../../src/tools/data/yaml-editor.ts";
import converter from "../../../../src/tools/data/yaml-to-json.ts";
import { cases } from "../../../support/cases.ts";
import { atHand, casesOf, readCorpus, readCorpusFile } from "../../corpora/corpus.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

const edit = (data: string, edits: string[], options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, edits, ...options });

test.each([
  // A scalar keeps its quotes, its anchor and the comment behind it.
  ['a: "x"   # c\n', ["a=y"], 'a: "y"   # c\n'],
  ["a: 'x'\n", ["a=it's"], "a: 'it''s'\n"],
  ["a: x\n", ["a=1.10"], "a: 1.10\n"],
  ["a: x\n", ['a="1.10"'], 'a: "1.10"\n'],
  ["a: x\n", ["a=no"], 'a: "no"\n'],
  ["a: &b 1\nc: *b\n", ["a=2"], "a: &b 2\nc: *b\n"],
  ["a: !Ref x\n", ["a=z"], "a: !Ref z\n"],
  ["a: |\n  x\n\n  y\nb: 1\n", ["a=z", "b=2"], "a: z\nb: 2\n"],
  ["a: x\n", ['a="1\\n2\\n"'], "a: |\n  1\n  2\n"],
  ["a:\n", ["a=1"], "a: 1\n"],
  ["a: # c\nb: 1\n", ["a=1"], "a: 1 # c\nb: 1\n"],
  ["- # c\n- x\n", ["[0]=1"], "- 1 # c\n- x\n"],
  ["? a\n: 1\n", ["a=2"], "? a\n: 2\n"],
  // Maps and lists.
  ["a: 1 # c\n", ['a={"b":[1]}'], "a: # c\n  b:\n    - 1\n"],
  ["a: # c\n    b: 1\n    d: 2\ne: 3\n", ["a=x"], "a: x # c\ne: 3\n"],
  ["a:\n    b: 1\n", ["a.c.d=1"], "a:\n    b: 1\n    c:\n        d: 1\n"],
  ["a:\n  - x # c\n\nb: 1\n", ["a[]+=z"], "a:\n  - x # c\n  - z\n\nb: 1\n"],
  ["a:\n- x: 1\n  z: 2\n", ['a[]+={"x":3,"z":{"w":4}}'], "a:\n- x: 1\n  z: 2\n- x: 3\n  z:\n    w: 4\n"],
  ["a: [1, 2] # c\n", ["a[]+=x, y", "-a[0]"], 'a: [2, "x, y"] # c\n'],
  ["a: {b: 1}\n", ["a.c=[1,{}]", "-a.b"], "a: {c: [1, {}]}\n"],
  ["a: {}\nb: []\n", ["a.c=1", "b[]+=1"], "a: {c: 1}\nb: [1]\n"],
  ["a: {\n  b: 1, # c\n  d: 2\n}\n", ["a.e=3"], "a: {\n  b: 1, # c\n  d: 2,\n  e: 3\n}\n"],
  ["{a: 1}\n", ["b=2"], "{a: 1, b: 2}\n"],
  ["a: {b}\n", ["a.b=1"], "a: {b: 1}\n"],
  // Where there was nothing.
  ["", ["a.b=1"], "a:\n  b: 1\n"],
  ["# c", ["a=1"], "# c\na: 1\n"],
  ["a: ~\n", ["a.b=1"], "a:\n  b: 1\n"],
  ["a: 1", ["b=2"], "a: 1\nb: 2"],
  ["a:\r\n  b: 1\r\n", ["a.c=2", "d=3"], "a:\r\n  b: 1\r\n  c: 2\r\nd: 3\r\n"],
  ["\ufeffa: 1\nb:\n  c: 1\n", ["b.c=2"], "\ufeffa: 1\nb:\n  c: 2\n"],
  // Removal.
  ["a: 1\n# of b\nb: 2 # c\nd: 3\n", ["-b"], "a: 1\n# of b\nd: 3\n"],
  ["a: # c\n  b: 1\n", ["-a.b"], "a: {} # c\n"],
  ["a:\n  - b: 1\n    c: 2\n  - d\n", ["-a[0].b", "-a[1]"], "a:\n  - c: 2\n"],
  ["- - a\n  - b\n", ["-[0][0]"], "- - b\n"],
  ["a: |+\n  x\n\n\nb: 1\n", ["-a"], "b: 1\n"],
  ["a: 1\nb: 2", ["-b"], "a: 1"],
  ["a: 1\n", ["-a"], "{}\n"],
  // Templates that are YAML, and merge keys.
  ["a: {{ .Values.a }}\nb: 1\n", ["b=2"], "a: {{ .Values.a }}\nb: 2\n"],
  ["x: &x {k: 1}\na:\n  <<: *x\n  b: 1\n", ["a.k=2"], "x: &x {k: 1}\na:\n  <<: *x\n  b: 1\n  k: 2\n"],
])("%j with %j is %j", async (data, edits, result) => {
  expect(await edit(data, edits)).toBe(result);
});

test("one of several documents is named by its number", async () => {
  const data = "%YAML 1.2\n---\na: 1\n--- # b\na: 1\n...\n---\n";
  expect(await edit(data, ["a=2"], { document: 2 })).toBe(data.replace("# b\na: 1", "# b\na: 2"));
  expect(await edit(data, ["a=2"], { document: 1 })).toBe(data.replace("a: 1", "a: 2"));
  expect((await refusalOf(edit(data, ["a=2"]))).message).toBe(
    "data has 3 documents; name one by document, which counts from 1.",
  );
  expect((await refusalOf(edit(data, ["a=2"], { document: 4 }))).message).toContain("no document 4");
});

test.each([
  ["a: &x 1\nb: *x\n", ["-a"], "The document would become invalid"],
  ["a: &x {k: 1}\nb: *x\n", ["b.k=2"], "b is the alias *x, and nothing can be in it"],
  ["a: !!int 1\n", ["a=x"], "The document would become invalid"],
  ["a: [x: 1]\n", ["a[0].x=2"], "a form"],
  ["x\n", ["a=1"], "The document is a text"],
])("%j with %j is refused", async (data, edits, message) => {
  const refusal = await refusalOf(edit(data, edits));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/edits" });
  expect(refusal.message).toContain(message);
});

test.each([
  ["a: [1\n", { line: 2 }],
  ["a: 1\na: 2\n", { line: 2, column: 1 }],
  [`${"[".repeat(600)}${"]".repeat(600)}`, { line: 1 }],
])("%j is refused at its place", async (data, place) => {
  expect(await refusalOf(edit(data, ["a=1"]))).toMatchObject({ code: "invalid_document", ...place });
});

test.each([
  `${"[".repeat(500)}1${"]".repeat(500)}`,
  `${"{a: ".repeat(500)}1${"}".repeat(500)}`,
  Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""),
])("the depth of a document does not multiply the work", async (data) => {
  const path = data.startsWith("[") ? "[0]".repeat(500) : ".a".repeat(500);
  expect(await edit(data, [`${path}=2`])).toBe(
    data.startsWith(" ") || data.startsWith("a") ? `${data.trimEnd()} 2\n` : data.replace("1", "2"),
  );
});

test("a check says whether a tag is the one that it must be", async () => {
  const data = "image:\n  tag: 1.2.3\n";
  expect(await checkTool(tool, { data, edits: ["image.tag=1.2.3"] })).toMatchObject({ valid: true });
  expect(await checkTool(tool, { data, edits: ["image.tag=1.2.4"] })).toMatchObject({
    valid: false,
    errors: [{ line: 2 }],
  });
});

interface Leaf {
  path: string;
  pointer: string;
  isList: boolean;
}

/** The scalars and the empty containers of a value. */
function leavesOf(one: unknown, path = "", pointer = ""): Leaf[] {
  if (typeof one !== "object" || one === null) return path === "" ? [] : [{ path, pointer, isList: false }];
  return Object.entries(one).flatMap(([key, item]) => {
    const token = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return leavesOf(
      item,
      `${path}${Array.isArray(one) ? `[${key}]` : `[${JSON.stringify(key)}]`}`,
      `${pointer}/${token}`,
    );
  });
}

const options = { documents: "all", keys: "stringify", tags: "drop", merge: false, indent: 0 };
const valuesOf = async (data: string): Promise<unknown[]> =>
  JSON.parse(await runTool(converter, { data, ...options })) as unknown[];
const linesOf = (text: string): string[] => text.split("\n");

interface RealFile {
  id: string;
  kind: string;
  text: string;
}

const files = atHand
  ? readCorpusFile("real-files.jsonl")
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RealFile)
      .filter(({ kind }) => /^(?:kubernetes|workflow|compose|yaml-comments)$/.test(kind))
  : [];

test.runIf(atHand).each(cases(files, 40).map((file) => [file.id, file] as const))(
  "%s: setting a value changes its line alone, and setting it back gives every byte back",
  async (_, { text }) => {
    const documents = await valuesOf(text).catch(() => []);
    for (const [at, value] of documents.entries()) {
      const leaves = leavesOf(value);
      const step = Math.max(1, Math.floor(leaves.length / 4));
      for (const { path, pointer } of leaves.filter((_leaf, index) => index % step === 0)) {
        const result = await edit(text, [`${path}=zz9`], { document: at + 1 }).catch((error: unknown) =>
          String(error),
        );
        // What an alias repeats is written once.
        if (result.includes("the alias *") || result.includes("would become invalid")) continue;
        const patch = JSON.stringify([{ op: "replace", path: pointer, value: "zz9" }]);
        const patched: unknown = JSON.parse(await runTool(patcher, { data: JSON.stringify(value), patch }));
        const after = (await valuesOf(result))[at];
        if (!text.includes("&")) expect(after, path).toEqual(patched);
        const [before, now] = [linesOf(text), linesOf(result)];
        if (before.length !== now.length) continue;
        expect(
          now.filter((line, index) => line !== before[index]),
          path,
        ).toHaveLength(1);
      }
    }
  },
);

const suite = atHand ? readCorpus("yaml-test-suite") : [];

test.runIf(atHand)(
  `every value in ${casesOf("yaml-test-suite")} can be set and removed, or is refused`,
  async () => {
    let set = 0;
    let refused = 0;
    for (const { case: name, input } of suite) {
      const data = input["data"];
      if (typeof data !== "string") continue;
      const documents = await valuesOf(data).catch(() => []);
      if (documents.length !== 1) continue;
      for (const { path, pointer } of leavesOf(documents[0]).slice(0, 12)) {
        // A key that is a map or a list has no path.
        if (/^\[?"?\[["{]|\["[[{]|"null"/.test(path)) continue;
        for (const line of [`${path}=zz9`, `-${path}`]) {
          const result = await edit(data, [line]).catch(() => undefined);
          if (result === undefined) {
            refused++;
            continue;
          }
          set++;
          if (/[&*]/.test(data)) continue;
          const patch = JSON.stringify([
            line.startsWith("-")
              ? { op: "remove", path: pointer }
              : { op: "replace", path: pointer, value: "zz9" },
          ]);
          const patched: unknown = JSON.parse(
            await runTool(patcher, { data: JSON.stringify(documents[0]), patch }),
          );
          expect((await valuesOf(result))[0] ?? null, `${name} ${line}`).toEqual(patched);
        }
      }
    }
    expect(set).toBeGreaterThan(150);
    expect(refused / set).toBeLessThan(0.15);
  },
);
