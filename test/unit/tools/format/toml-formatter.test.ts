import * as fc from "fast-check";
import { expect, test } from "vitest";
import converter from "../../../../src/tools/data/toml-to-json.ts";
import tool from "../../../../src/tools/format/toml-formatter.ts";
import { atHand, readCorpus } from "../../corpora/corpus.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

const format = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, ...options });
const toJson = (data: string, version = "1.1"): Promise<string> => runTool(converter, { data, version });

test.each([
  ["", ""],
  ["\n\n", ""],
  ["a=1", "a = 1\n"],
  ["  a  .  \"b\" .'c'=  1  # x  ", "a.\"b\".'c' = 1 # x\n"],
  ["[ a . b ]#x\n[[ c ]]", "[a.b] #x\n\n[[c]]\n"],
  ["a=1\n[b]\nc=1\n\n\n\nd=2", "a = 1\n\n[b]\nc = 1\n\nd = 2\n"],
  ["# head\n\n# of a\na=1\n# of b\n[b]\n# end", "# head\n\n# of a\na = 1\n\n# of b\n[b]\n# end\n"],
  ["\n\n# x\na=1\n\n", "# x\na = 1\n"],
  ["a=[1,2,]", "a = [1, 2]\n"],
  ["a=[ ]\nb={ }", "a = []\nb = {}\n"],
  ["a=[\n1\n,\n2]", "a = [1, 2]\n"],
  ["a={b=[{c=1},{d=2}]}", "a = { b = [{ c = 1 }, { d = 2 }] }\n"],
  ["a=[1, # x\n# y\n2 # z\n, # w\n# end\n]", "a = [\n  1, # x\n  # y\n  2, # z # w\n  # end\n]\n"],
  ["a=[ # x\n1]", "a = [\n  # x\n  1,\n]\n"],
  ["a=[# x\n]", "a = [\n  # x\n]\n"],
  ["a=[1,\n\n# y\n2]", "a = [\n  1,\n\n  # y\n  2,\n]\n"],
  ["a = {\n b = 1, # x\n c = [\n 2, # y\n ] }", "a = {\n  b = 1, # x\n  c = [\n    2, # y\n  ],\n}\n"],
  ["a={\n b=1,\n}", "a = { b = 1 }\n"],
  ["a = '''\n  x\n\n '''  # y", "a = '''\n  x\n\n ''' # y\n"],
  ['a = """x""""" # "y"', 'a = """x""""" # "y"\n'],
  ['a = "\\"#" # "', 'a = "\\"#" # "\n'],
  ["a = 1979-05-27 07:32:00Z# x\nb=1979-05-27 # y", "a = 1979-05-27 07:32:00Z # x\nb = 1979-05-27 # y\n"],
  ["a = [1979-05-27 07:32:00,-inf,+1_0.0e-3]", "a = [1979-05-27 07:32:00, -inf, +1_0.0e-3]\n"],
  ["a=1\r\nb=2\r\n", "a = 1\nb = 2\n"],
  ["\ufeffa=1", "a = 1\n"],
  ["__proto__=1", "__proto__ = 1\n"],
])("%j is %j", async (data, result) => {
  expect(await format(data)).toBe(result);
});

test("width, indentation and blank lines are options", async () => {
  const data = "a=[1111111,2222222,3333333]\n\n\nb=1\n[c]";
  expect(await format(data, { width: 20, indent: 4, blankLines: 2 })).toBe(
    "a = [\n    1111111,\n    2222222,\n    3333333,\n]\n\n\nb = 1\n\n[c]\n",
  );
  expect(await format(data, { blankLines: 0 })).toBe("a = [1111111, 2222222, 3333333]\nb = 1\n\n[c]\n");
});

test.each([
  ["a = ", {}, { code: "invalid_document", line: 1, column: 5 }],
  ["a=1\na=2", {}, { code: "invalid_document", line: 2 }],
  ["a={\n}", { version: "1.0" }, { code: "invalid_document", line: 1 }],
  [`a=${"[".repeat(600)}`, {}, { code: "invalid_document" }],
])("%s with %j is refused", async (data, options, refusal) => {
  expect(await refusalOf(format(data, options))).toMatchObject(refusal);
});

test("indentation cannot multiply a document without a limit", async () => {
  const data = `a=${"[".repeat(500)}${"1,".repeat(30_000)}${"]".repeat(500)}`;
  expect(await refusalOf(format(data, { indent: 10 }))).toMatchObject({ code: "invalid_document" });
});

test("a check says where a document would change", async () => {
  expect(await checkTool(tool, { data: "a = 1\r\nb = 2\r\n" })).toMatchObject({ valid: true });
  expect(await checkTool(tool, { data: "a = 1\nb=2\n" })).toMatchObject({
    valid: false,
    errors: [{ line: 2, column: 2 }],
  });
});

/** Comments of the generated documents, and of the suite, where no string has a number sign. */
const commentsOf = (text: string): string[] =>
  (text.match(/#[^\n#]*/g) ?? []).map((one) => one.trim()).toSorted();

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1", '"a"', "'b'", "1979-05-27 07:32:00", "'''\nx\n'''", "inf", "true"),
    fc
      .array(fc.tuple(tie("any"), fc.constantFrom(",", " , # c\n", ",\n\n", "\n, # d\n# e\n", "# f\n,")), {
        maxLength: 4,
      })
      .map((items) => `[${items.map(([one, end]) => String(one) + end).join("")}]`),
    fc
      .uniqueArray(fc.constantFrom("a", "b", "'c d'"), { maxLength: 3 })
      .chain((keys) =>
        fc
          .tuple(...keys.map(() => tie("any")))
          .map((values) => `{${keys.map((key, at) => `${key}= ${String(values[at])}`).join(" ,")}}`),
      ),
  ),
})).any as fc.Arbitrary<string>;
const document = fc
  .tuple(
    fc.array(value, { maxLength: 4 }),
    fc.array(fc.constantFrom("", "\n", "\n\n\n", "# g\n", "# h\n\n", "[t§]\n", "[[l]] # i\n"), {
      minLength: 5,
      maxLength: 5,
    }),
  )
  .map(
    ([values, between]) =>
      values.map((one, at) => `${between[at]?.replace("§", String(at))}k${at}=${one} # j\n`).join("") +
      (between[4] ?? "").replace("§", "4"),
  );

test("values and comments stay, and a second time changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(document, fc.constantFrom(20, 80), async (data, width) => {
      const result = await format(data, { width });
      expect(await toJson(result)).toBe(await toJson(data));
      expect(commentsOf(result)).toEqual(commentsOf(data));
      expect(await format(result, { width })).toBe(result);
    }),
    { numRuns: 300 },
  );
});

test("keeps any number of comments between an item and its comma", async () => {
  const comments = "  # c\n".repeat(130_000);
  expect(await format(`a = [\n  1\n${comments}  , 2\n]\n`)).toBe(
    `a = [\n${comments.slice(6)}  1, # c\n  2,\n]\n`,
  );
});

const rows = atHand ? readCorpus("toml-test").filter(({ slug }) => slug === "toml-to-json") : [];

test.runIf(atHand)("the valid documents of toml-test keep their values", async () => {
  let count = 0;
  for (const { case: name, input, toml } of rows) {
    const data = input["data"];
    if (typeof data !== "string") continue;
    const version = toml?.includes("1.1") === true ? "1.1" : "1.0";
    const before = await toJson(data, version).catch(() => undefined);
    if (before === undefined) {
      expect((await refusalOf(format(data, { version }))).code, name).toBe("invalid_document");
      continue;
    }
    count++;
    const result = await format(data, { version });
    expect(await toJson(result, version), name).toBe(before);
    expect(await format(result, { version }), name).toBe(result);
  }
  expect(count).toBeGreaterThan(100);
});
