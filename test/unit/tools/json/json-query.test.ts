import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-query.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const ask = (data: string, query: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, query, indent: 0, ...options });

describe("jsonpath", () => {
  test.each([
    ['{"b":1,"2":2,"1":3}', "$.*", "[1,2,3]"],
    ['{"a":[1.0,1E2,-0]}', "$.a[*]", "[1.0,1E2,-0]"],
    ["[1,2,3,4]", "$[-1:0:-2]", "[4,2]"],
    ['[{"a":9007199254740993}]', "$[?@.a == 9007199254740992]", "[]"],
    ["[0.1,0.10]", "$[?@ == 0.1]", "[0.1,0.10]"],
    ['["😀","a"]', "$[?length(@) == 1]", '["😀","a"]'],
    ['["ab","xab"]', "$[?match(@, 'a.')]", '["ab"]'],
    ['["\\u2028"]', "$[?match(@, '.')]", '["\\u2028"]'.replace("\\u2028", "\u2028")],
    ['["1"]', "$[?match(@, '\\\\d')]", "[]"],
    ['{"__proto__":{"x":1}}', "$.__proto__.x", "[1]"],
    ["[]", "$.constructor", "[]"],
  ])("%s %s", async (data, query, result) => {
    expect(await ask(data, query)).toBe(result);
  });

  test("returns paths that are queries for their nodes, and pointers that lead to them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (data) => {
        const nodes = JSON.parse(await ask(data, "$..*", { output: "nodes" })) as {
          path: string;
          pointer: string;
          value: unknown;
        }[];
        for (const { path, pointer, value } of nodes.slice(0, 5)) {
          expect(JSON.parse(await ask(data, path))).toEqual([value]);
          expect(JSON.parse(await ask(data, pointer, { language: "pointer" }))).toEqual(value);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("runs patterns in linear time", async () => {
    const cost = startCost();
    expect(await ask(JSON.stringify([`${"a".repeat(20_000)}!`]), "$[?match(@, '(a|a)*')]")).toBe("[]");
    expect(cost()).toBeLessThan(500);
  });
});

test.each(["", "$.", "$[01]", "$[?@.a]extra", "$.~a", "$[?length(@)]", "$[?(@.a", `$${"[".repeat(3000)}`])(
  "rejects %s as an invalid query",
  async (query) => {
    expect(await refusalOf(ask("[]", query))).toMatchObject({ code: "invalid_input", pointer: "/query" });
  },
);

test.each([
  ['{"a/b":{"~":[1.50]}}', "/a~1b/~0/0", "1.50"],
  ['{"":1}', "/", "1"],
  ["[1]", "", "[1]"],
])("pointer: %s %s", async (data, query, result) => {
  expect(await ask(data, query, { language: "pointer" })).toBe(result);
});

test("blames the document for a pointer to nothing, and the call for a malformed pointer", async () => {
  expect((await refusalOf(ask("[1]", "/1", { language: "pointer" }))).code).toBe("invalid_document");
  expect((await refusalOf(ask("[1]", "/00", { language: "pointer" }))).code).toBe("invalid_document");
  expect((await refusalOf(ask("[1]", "0", { language: "pointer" }))).code).toBe("invalid_input");
});

describe("jmespath", () => {
  const search = (data: string, query: string): Promise<string> => ask(data, query, { language: "jmespath" });

  test.each([
    ['{"a":{"b":[1.0,2]}}', "a.b[0]", "1.0"],
    ['{"a":[{"b":1},{"b":2},{"c":3}]}', "a[*].b", "[1,2]"],
    ['{"a":[[1,[2]],3]}', "a[]", "[1,[2],3]"],
    ['{"a":{"x":{"b":1},"y":{"b":2}}}', "a.*.b", "[1,2]"],
    ['{"a":[{"b":[1,2]},{"b":[3]}]}', "a[*].b | [0]", "[1,2]"],
    ['{"a":[1,2,3,4]}', "a[::-1]", "[4,3,2,1]"],
    ['{"a":[{"n":"x","v":1},{"n":"y","v":2}]}', "a[?v > `1`].n", '["y"]'],
    ['{"a":1}', "{x: a, y: b}", '{"x":1,"y":null}'],
    ['{"a":1}', "b || a && 'yes'", '"yes"'],
    ['{"a":[3,1,2]}', "sort(a)", "[1,2,3]"],
    ['{"a":[{"k":"b"},{"k":"a"}]}', "sort_by(a, &k)[0].k", '"a"'],
    ["[0.1,0.2]", "sum(@)", "0.3"],
    ["[9007199254740993]", "max(@)", "9007199254740993"],
    ["-1.5", "[ceil(@), floor(@), abs(@)]", "[-1,-2,1.5]"],
    ['"😀a"', "[length(@), reverse(@)]", '[2,"a😀"]'],
    ['{"a":[1.0]}', "to_string(a)", '"[1.0]"'],
    ['{"__proto__":1}', '"__proto__"', "1"],
    ["{}", "@.constructor", "null"],
    ["{}", "'it\\'s'", '"it\'s"'],
  ])("%s %s", async (data, query, result) => {
    expect(await search(data, query)).toBe(result);
  });

  test.each([
    "",
    "a.",
    "a[",
    "a b",
    "foo()",
    "length(a, b)",
    "`nope`",
    "'open",
    "a == ",
    "[0",
    "{a}",
    'sort(`[1,"a"]`)',
    "a[::0]",
    "abs('x')",
  ])("rejects %s as an invalid call", async (query) => {
    expect(await refusalOf(search("{}", query))).toMatchObject({ code: "invalid_input", pointer: "/query" });
  });

  test("refuses nodes as output, and queries that are too deep or grow without bound", async () => {
    expect((await refusalOf(ask("1", "@", { language: "jmespath", output: "nodes" }))).pointer).toBe(
      "/output",
    );
    expect((await refusalOf(search("1", "(".repeat(9999)))).code).toBe("invalid_input");
    const doubling = `${Array.from({ length: 30 }, () => "[@, @][]").join(" | ")}`;
    expect((await refusalOf(search("[1,2]", doubling))).code).toBe("memory_exceeded");
  });
});

// jmespath.py, and with it the AWS CLI, orders strings too.
test.each([
  ['["2024-02-01","2023-01-01"]', "[?@ > '2024-01-01']", '["2024-02-01"]'],
  ['["😀","\uffee"]', "[?@ > '\uffee']", '["😀"]'],
  ['["1",1,true]', "[?@ >= `1`]", "[1]"],
])("JMESPath on %s: %s is %s", async (data, query, result) => {
  expect(await ask(data, query, { language: "jmespath" })).toBe(result);
});
