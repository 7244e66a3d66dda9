import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drawSeed } from "../../../support/cases.ts";
import tool from "../../../../src/tools/json/json-editor.ts";
import patcher from "../../../../src/tools/json/json-patcher.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

const edit = (data: string, edits: string[], options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, edits, dialect: "jsonc", ...options });

test.each([
  // Values.
  ['{"a":1}', ["a=2"], '{"a":2}'],
  ['{"a":1}', ["a=x y"], '{"a":"x y"}'],
  ['{"a":1}', ["a="], '{"a":""}'],
  ['{"a":1}', ["a = null"], '{"a":null}'],
  ['{"a":1}', ["a=1.50e+3"], '{"a":1.50e+3}'],
  ['{"a":1}', ['a="\\u00e9"'], '{"a":"é"}'],
  ['{"a": 1}', ['a={"b":[1,{}]}'], '{"a": {"b": [1, {}]}}'],
  ['{"a":1}', ["a=1 "], '{"a":1}'],
  // Paths.
  ['{"a":{"b.c":[0]}}', ['a."b.c"[0]=1'], '{"a":{"b.c":[1]}}'],
  ['{"a":{"b.c":0}}', ["a['b.c']=1"], '{"a":{"b.c":1}}'],
  ['{"a":[1,2]}', [".a[-1]=3"], '{"a":[1,3]}'],
  ['{"a":[1,2]}', ["a.0=3"], '{"a":[3,2]}'],
  ["[1]", ["[0]=2", "[]+=3"], "[2,3]"],
  ['{"a":[{"x":1},{"x":2}]}', ["a[].x=0"], '{"a":[{"x":0},{"x":0}]}'],
  [
    '{"a":[{"n":"b c"},{"n":2}]}',
    ['a[n="b c"].v=1', "a[n=2].v=3"],
    '{"a":[{"n":"b c","v":1},{"n":2,"v":3}]}',
  ],
  ['{"a+b":1,"=":2}', ["a+b=2", '"="=3'], '{"a+b":2,"=":3}'],
  ['{"__proto__":1}', ["__proto__=2", "constructor=3"], '{"__proto__":2,"constructor":3}'],
  // Missing members and items.
  ["{}", ["a.b[0].c=1"], '{"a":{"b":[{"c":1}]}}'],
  ['{"a":null}', ["a.b=1", "c[]+=1"], '{"a":{"b":1},"c":[1]}'],
  ['{"a":[1]}', ["a[1]=2"], '{"a":[1,2]}'],
  ['{"a":1}', ["-b", "-b.c[3]"], '{"a":1}'],
  // Layout of what is added.
  ['{"a":1, "b":2}', ["c=3"], '{"a":1, "b":2, "c":3}'],
  ['{ "a": 1 }', ["c=3"], '{ "a": 1, "c": 3 }'],
  ['{\n\t"a": 1\n}', ["c={}", "c.d=[]"], '{\n\t"a": 1,\n\t"c": {\n\t\t"d": []\n\t}\n}'],
  ['{\n    "a": 1, // x\n}', ["b=2"], '{\n    "a": 1, // x\n    "b": 2,\n}'],
  [
    '{\r\n  "a": [\r\n    1\r\n  ]\r\n}\r\n',
    ["a[]+=2", "b=1"],
    '{\r\n  "a": [\r\n    1,\r\n    2\r\n  ],\r\n  "b": 1\r\n}\r\n',
  ],
  ['{\n  "a": {} // x\n}', ["a.b=1"], '{\n  "a": {\n    "b": 1\n  } // x\n}'],
  ["{\n  // none\n}", ["a=1"], '{\n  // none\n  "a": 1\n}'],
  // Removal.
  ['{"a":1,"b":2,"c":3}', ["-b"], '{"a":1,"c":3}'],
  ['{"a":1,"b":2}', ["-b", "-a"], "{}"],
  ["[1, 2, 3]", ["-[0]", "-[-1]"], "[2]"],
  ["[1,2,3]", ["-[]"], "[]"],
  ['{\n  // a\n  "a": 1, // x\n  "b": 2 // y\n}', ["-b"], '{\n  // a\n  "a": 1 // x\n}'],
  ['{\n  "a": 1, /* x */ "b": 2\n}', ["-a"], '{\n  "b": 2\n}'],
  ["[\n  1,\n  2,\n]", ["-[1]"], "[\n  1,\n]"],
])("%j with %j is %j", async (data, edits, result) => {
  expect(await edit(data, edits)).toBe(result);
});

test("values can be text, and missing paths errors or skipped", async () => {
  expect(await edit('{"a":1}', ["a=1.10", "b=true"], { strings: true })).toBe('{"a":"1.10","b":"true"}');
  expect(await edit('{"a":1}', ["b.c=1", "-d", "a=2"], { missing: "ignore" })).toBe('{"a":2}');
  expect(await edit("{a:1,'b':2,}", ["a=0x10", "c=+.5"], { dialect: "json5" })).toBe(
    "{a:16,'b':2, \"c\":0.5,}".replace(", ", ","),
  );
});

test.each([
  ['{"a":1}', ["a.b=1"], {}, "a is a number, and nothing can be in it: a.b=1"],
  ['{"a":1}', ["a=1", "b=2"], { missing: "error" }, "b leads to nothing in the document of edit 2: b=2"],
  ['{"a":[1]}', ["-a[n=1]"], { missing: "error" }, "leads to nothing"],
  ['{"a":[1]}', ["a[2]=1"], {}, "a has 1 items, and none at 2"],
  ['{"a":[1]}', ["a.b=1"], {}, "a is a list"],
  ['{"a":{}}', ["a[0]=1"], {}, "a is an object"],
  ['{"a":{}}', ["a[]+=1"], {}, "items can be added to lists only"],
  ['{"a":1}', ["a"], {}, "Expected = and a value after the path, or - before it, at character 2: a"],
  ['{"a":1}', ["a+=1"], {}, "with []+=, at character 2"],
  ['{"a":1}', ["=1"], {}, "begins with a path, such as a.b, at character 1"],
  ['{"a":1}', ["a..b=1"], {}, "Expected a key after the point, at character 3"],
  ['{"a":1}', ["a[x]=1"], {}, "In brackets stands an index"],
  ['{"a":1}', ["-a=1"], {}, "ends with its path, at character 3"],
  ['{"a":1}', ['"\\q"=1'], {}, "the escapes of JSON"],
])("%s with %j and %o is refused", async (data, edits, options, message) => {
  const refusal = await refusalOf(edit(data, edits, options));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/edits" });
  expect(refusal.message).toContain(message);
});

test("a document that is not JSON is refused at its place, and so is one that is too deep", async () => {
  expect(await refusalOf(edit('{"a":}', ["a=1"]))).toMatchObject({
    code: "invalid_document",
    line: 1,
    column: 6,
  });
  const deep = "[".repeat(600) + "]".repeat(600);
  expect((await refusalOf(edit(deep, ["[0]=1"]))).message).toContain("512 levels");
});

test("the work of a call is bounded", async () => {
  const many = `[${Array.from({ length: 11_000 }, () => '{"a":1}').join()}]`;
  expect((await refusalOf(edit(many, ["[].a=2"]))).message).toContain("more than 10000 values");
  expect((await refusalOf(edit(`[${"1,".repeat(600)}1]`, ["-[]"]))).message).toContain("more than 500 items");
});

test("a check says whether the values are those that the edits set", async () => {
  const data = '{\n  "version": "1"\n}';
  expect(await checkTool(tool, { data, edits: ['version="1"'] })).toMatchObject({ valid: true });
  expect(await checkTool(tool, { data, edits: ['version="2"'] })).toMatchObject({
    valid: false,
    errors: [{ line: 2 }],
  });
});

/** Any document in any layout, with comments between its tokens. */
const gap = fc.constantFrom("", " ", "\n", "\n  ", " /* c */ ", " // d\n");
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1.0", '"a, b"', "null", "[]", "{}"),
    fc
      .array(fc.tuple(gap, tie("value"), gap), { maxLength: 3 })
      .map((items) => `[${items.map((one) => one.join("")).join()}]`),
    fc
      .uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 })
      .chain((keys) =>
        fc.tuple(
          ...keys.map((key) =>
            fc
              .tuple(gap, tie("value"), gap, gap)
              .map(([one, inner, two, three]) => `${one}"${key}"${two}:${three}${inner}`),
          ),
        ),
      )
      .map((members) => `{${members.join()}}`),
  ),
}));
const commentsOf = (text: string): number => text.split(/\/\*|\/\//).length;

/** The pointers of all values, and their paths as edits write them. */
function pathsOf(one: unknown, pointer = "", path = ""): { pointer: string; path: string }[] {
  if (typeof one !== "object" || one === null) return pointer === "" ? [] : [{ pointer, path }];
  const inner = Object.entries(one).flatMap(([key, item]) =>
    pathsOf(item, `${pointer}/${key}`, Array.isArray(one) ? `${path}[${key}]` : `${path}.${key}`),
  );
  return pointer === "" ? inner : [{ pointer, path }, ...inner];
}

test("an edit does what a JSON Patch does to the value, and keeps every comment that it does not replace", async () => {
  await fc.assert(
    fc.asyncProperty(
      value,
      fc.nat(),
      fc.constantFrom("=7", '={"x":[1]}', "-", ".new=7", "[]+=7"),
      async (data, pick, what) => {
        const plain = await runTool(patcher, { data, patch: "[]", dialect: "jsonc", indent: 0 });
        const paths = pathsOf(JSON.parse(plain));
        const { pointer, path } = paths[pick % Math.max(paths.length, 1)] ?? { pointer: "", path: "" };
        if (pointer === "") return;
        const [line, op, at, given] =
          what === "-"
            ? [`-${path}`, "remove", pointer, null]
            : what === ".new=7"
              ? [`${path}.new=7`, "add", `${pointer}/new`, 7]
              : what === "[]+=7"
                ? [`${path}[]+=7`, "add", `${pointer}/-`, 7]
                : [path + what, "replace", pointer, JSON.parse(what.slice(1)) as unknown];
        const result = await edit(data, [line]).catch(() => undefined);
        const patched = await runTool(patcher, {
          data: plain,
          patch: JSON.stringify([{ op, path: at, value: given }]),
          indent: 0,
        }).catch(() => undefined);
        // A member of null is made; a patch refuses that.
        if (patched === undefined || patched.includes('"-":')) return;
        expect(result, `${data} ${line}`).toBeDefined();
        expect(
          await runTool(patcher, { data: result, patch: "[]", dialect: "jsonc", indent: 0 }),
          `${data} ${line}`,
        ).toBe(patched);
        if (op === "add")
          expect(commentsOf(result as string), `${data} ${line} ${result}`).toBe(commentsOf(data));
      },
    ),
    { numRuns: 1000, seed: drawSeed() },
  );
});

const rows = atHand ? readCorpus("json-patch-tests") : [];

test.runIf(atHand)(
  `what sets or removes one value in ${casesOf("json-patch-tests")} an edit does too`,
  async () => {
    let count = 0;
    for (const { case: name, input, expect: wanted } of rows) {
      const { data, patch } = input as { data?: string; patch?: string };
      if (data === undefined || patch === undefined || !("json" in wanted)) continue;
      const operations = JSON.parse(patch) as { op: string; path: string; value?: unknown }[];
      const lines = operations.map(({ op, path, value: given }) => {
        const steps = path
          .split("/")
          .slice(1)
          .map((token) =>
            `[${JSON.stringify(token.replaceAll("~1", "/").replaceAll("~0", "~"))}]`.replace(
              /^\["(\d+)"\]$/,
              ".$1",
            ),
          );
        if (op === "remove") return `-${steps.join("")}`;
        return op === "replace" ? `${steps.join("")}=${JSON.stringify(given)}` : undefined;
      });
      if (lines.length === 0 || lines.some((line) => line === undefined || /^(?:=|-$)/.test(line))) continue;
      expect(JSON.parse(await edit(data, lines as string[])), name).toEqual(wanted["json"]);
      count++;
    }
    expect(count).toBeGreaterThan(10);
  },
);
