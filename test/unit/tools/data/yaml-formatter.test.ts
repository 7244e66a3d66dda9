import * as fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "../../../../src/catalog/execute.ts";
import jsonToYaml from "../../../../src/tools/data/json-to-yaml.ts";
import yamlFormatter from "../../../../src/tools/data/yaml-formatter.ts";
import yamlToJson from "../../../../src/tools/data/yaml-to-json.ts";
import { jsonText } from "../../lib/json-text.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";

test.each([
  [{ data: "a:\n- 1\n-   b:   2\n" }, "a:\n- 1\n- b: 2\n"],
  [{ data: "a:\n- 1\n-   b:   2\n", sequences: "indented" }, "a:\n  - 1\n  - b: 2\n"],
  // What most of the lists and braces have.
  [{ data: "a:\n- 1\nb:\n    - 2\nc:\n- 3\n" }, "a:\n- 1\nb:\n- 2\nc:\n- 3\n"],
  [{ data: "a:\n- 1\nb:\n    - 2\n" }, "a:\n  - 1\nb:\n  - 2\n"],
  [{ data: "a:\n  b:\n  - c:\n    - 1\n" }, "a:\n  b:\n  - c:\n    - 1\n"],
  [{ data: "a: { b: 1 }\nc: {d: 1}\ne: {  f: {} }\n" }, "a: { b: 1 }\nc: { d: 1 }\ne: { f: {} }\n"],
  [{ data: "a: { b: 1 }\nc: {d: 1}\n" }, "a: {b: 1}\nc: {d: 1}\n"],
  [{ data: "a: { b: 1 }\n", bracketSpacing: false }, "a: {b: 1}\n"],
  [{ data: "a:   {x:   1}\n", indent: 4 }, "a: {x: 1}\n"],
  [{ data: "# a\n\n\n# b\nk: v   # c\n\n# end\n" }, "# a\n\n# b\nk: v   # c\n\n# end\n"],
  [{ data: "---\na: 1.0\n---\n# two\nb: 0x1F\n" }, "---\na: 1.0\n---\n# two\nb: 0x1F\n"],
  [{ data: "a: no\nb: 1_000\nc: 1E5\nd: 'x'\ne: \"y\"\n" }, "a: no\nb: 1_000\nc: 1E5\nd: 'x'\ne: \"y\"\n"],
  [{ data: "t: |\n    a\n     b\n\nf: >-\n    x\n    y\n" }, "t: |\n  a\n   b\n\nf: >-\n  x\n  y\n"],
  [{ data: "f: >-\n    x\n    y\n", lineWidth: 80 }, "f: >-\n  x y\n"],
  [
    { data: "a:\n    - >+ # why\n        x\n\n\n        y\n          - z\n\n\n    - b\n" },
    "a:\n  - >+ # why\n    x\n\n\n    y\n      - z\n\n\n  - b\n",
  ],
  [{ data: "&a !t >\r\n  x \r\n  y\r\n" }, "&a !t >\n  x \n  y\n"],
  [{ data: "a: >2\n     x\n    y\nb: >\n\n    z\n" }, "a: >2\n     x\n    y\nb: >\n\n  z\n"],
  [
    { data: "a: one\n     two # c\nb: \"x \\\n   y\n\n   z\"\nc: ['p\n q',  r]\n" },
    "a: one\n  two # c\nb: \"x \\\n  y\n\n  z\"\nc: ['p\n  q', r]\n",
  ],
  [{ data: "b: 1\na: >\n   x\n   y\n", sortKeys: true }, "a: >\n  x\n  y\nb: 1\n"],
  [
    { data: "a: {b: [1, {c: 2}], d: {}}\ne: [{f: 1}]\n", bracketSpacing: true },
    "a: { b: [1, { c: 2 }], d: {} }\ne: [{ f: 1 }]\n",
  ],
  [{ data: "? a\n? b\n: c\n" }, "? a\n? b\n: c\n"],
  [{ data: "b: &x 1\nc: *x\na: !t 2\n" }, "b: &x 1\nc: *x\na: !t 2\n"],
  [{ data: "b: 1\na: {d: 1, c: 2}\n", sortKeys: true }, "a: {c: 2, d: 1}\nb: 1\n"],
  [{ data: "# only\n\n  # comments\n" }, "# only\n\n# comments\n"],
  [
    {
      data: "a:\n    - b\n\n    # tail\n\n    # more\nc:\n    d: {e: 1}\n  \n    # end\nf: [1,\n\n  # in\n  2]\n",
    },
    "a:\n  - b\n\n  # tail\n\n  # more\nc:\n  d: {e: 1}\n\n  # end\nf: [1,\n\n  # in\n  2]\n",
  ],
  [{ data: "b:\r\n  - c\r\n\r\n  # d\r\na: 1\r\n", sortKeys: true }, "a: 1\nb:\n  - c\n\n  # d\n"],
  [{ data: "a:\n  - b\n  # c\nd: 1\n" }, "a:\n  - b\n  # c\nd: 1\n"],
  [{ data: '"\\u007f\\x9f"' }, '"\\u007f\\x9f"\n'],
  [{ data: "" }, ""],
  [{ data: "a:\n   b: >\n     w\n      \n     x\n" }, "a:\n  b: >\n    w\n     \n    x\n"],
  [{ data: "a:   '1'\nb: \"it's\"\n", quotes: "double" }, 'a: "1"\nb: "it\'s"\n'],
  [{ data: "a:\n  - 1\n", sequences: "flush" }, "a:\n- 1\n"],
  [{ data: "a: 1\n\n\n\nb: 2\n", blankLines: 2 }, "a: 1\n\n\nb: 2\n"],
])("%j", async (input, result) => {
  const formatted = await runTool(yamlFormatter, input);
  expect(formatted).toBe(result);
  expect(await runTool(yamlFormatter, { ...input, data: formatted })).toBe(formatted);
});

test.each([
  [{ data: "b: &x 1\na: *x\n", sortKeys: true }, "alias before its anchor"],
  [{ data: "a: 1\na: 2\n" }, "twice"],
  [{ data: "a: [1\n" }, "(line"],
  [{ data: "a: {{ x }}{{ y }}\n" }, "this looks like a template"],
  [
    { data: "b:\n  d: |+\n    x\n  c: 1\n\n# e\ne: 2\n", sortKeys: true },
    "change the document in another way",
  ],
])("%j is refused", async (input, words) => {
  const refusal = await refusalOf(runTool(yamlFormatter, input));
  expect(refusal.code).toBe("invalid_document");
  expect(refusal.message).toContain(words);
});

test("keeps every value, and changes nothing in its own output", async () => {
  await fc.assert(
    fc.asyncProperty(jsonText({ null: true }), fc.boolean(), async (json, sortKeys) => {
      const data = await runTool(jsonToYaml, { data: json, indent: 3 });
      const once = await runTool(yamlFormatter, { data, sortKeys });
      expect(await runTool(yamlFormatter, { data: once, sortKeys })).toBe(once);
      if (!sortKeys)
        expect(await runTool(yamlToJson, { data: once, tags: "keep" })).toBe(
          await runTool(yamlToJson, { data, tags: "keep" }),
        );
    }),
    { numRuns: 100 },
  );
});

test("keeps folded text of any shape, with its lines where they have a form", async () => {
  const line = fc.constantFrom("", "", "x", "a b", "  more", "x  ", "- z", "k: v", "# c", "\ty", "---");
  const header = fc.constantFrom(">", ">-", ">+", "> # c", "&a >-", "!t >");
  const folded = fc.array(line, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(header, folded, fc.boolean(), async (start, lines, bracketSpacing) => {
      const text = lines.map((one) => (one === "" ? "" : `     ${one}`)).join("\n");
      const data = `a:\n   b: ${start}\n     w\n${text}\n   c: {d: 1}\n`;
      const once = await runTool(yamlFormatter, { data, bracketSpacing });
      expect(await runTool(yamlFormatter, { data: once, bracketSpacing })).toBe(once);
      expect(await runTool(yamlToJson, { data: once, tags: "keep" })).toBe(
        await runTool(yamlToJson, { data, tags: "keep" }),
      );
      if (start.endsWith(">") && lines.every((one) => one.trim() === one && one !== ""))
        expect(once).toContain(`\n    w\n    ${lines.join("\n    ")}\n`);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["kept lines", "  x \n".repeat(130_000)],
  ["wrapped words", `${"  xxxxxxxxxx xxxxxxxxxx\n".repeat(130_000)}`],
])("folded text may have any number of %s", async (_, lines) => {
  const data = `a: >\n${lines}`;
  const result = await runTool(yamlFormatter, { data, lineWidth: 20 });
  expect(result.replace(/\s+/g, " ")).toBe(data.replace(/\s+/g, " "));
});

test("reports in check mode whether the document would change", async () => {
  const check = async (data: string): Promise<boolean | undefined> => {
    const body = { kind: "input" as const, input: { data } };
    return (await execute(yamlFormatter, { body, form: "json", check: true }, context)).valid;
  };
  expect(await check("a: 1\n")).toBe(true);
  expect(await check("a:  1\n")).toBe(false);
});
