import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../src/tools/text/template-renderer.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../cost/start-cost.ts";

const render = (data: string, variables: unknown, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, {
    data,
    variables: typeof variables === "string" ? variables : JSON.stringify(variables),
    ...options,
  });

describe("mustache", () => {
  test.each([
    ["", {}, ""],
    ["{{a}} {{{a}}} {{& a}}", { a: `<&>"'` }, `&lt;&amp;&gt;&quot;&#39; <&>"' <&>"'`],
    ["{{a.b.c}}", { a: { b: { c: 1 } } }, "1"],
    ["{{a.1}}", { a: ["x", "y"] }, "y"],
    ["{{n}}{{t}}{{f}}", { n: null, t: true, f: false }, "truefalse"],
    ["{{#a}}{{.}},{{/a}}", { a: [1, "b", true] }, "1,b,true,"],
    ["{{#a}}{{#.}}{{.}}{{/.}};{{/a}}", { a: [[1, 2], [3]] }, "12;3;"],
    ["{{#a}}{{b}}{{c}}{{/a}}", { a: { b: 1 }, c: 2 }, "12"],
    ["{{#a}}x{{/a}}{{^a}}y{{/a}}", { a: [] }, "y"],
    ["{{#a}}x{{/a}}{{^a}}y{{/a}}", { a: 0 }, "y"],
    ["{{#a}}x{{/a}}{{^a}}y{{/a}}", { a: "0" }, "x"],
    ["{{#nosuch}}x{{/nosuch}}{{^nosuch}}y{{/nosuch}}", {}, "y"],
    ["a\n  {{#t}}  \nb\n{{/t}}\nc", { t: true }, "a\nb\nc"],
    ["a\r\n{{! one\r\ntwo }}\r\nb", {}, "a\r\nb"],
    ["  {{a}}\n", { a: 1 }, "  1\n"],
    ["{{#t}} {{/t}}\n", { t: true }, " \n"],
    ["{{=<% %>=}}<% a %>{{a}}<%={{ }}=%>{{a}}", { a: 1 }, "1{{a}}1"],
    ["{{a}", { a: 1 }, undefined],
  ])("%j with %j is %j", async (data, variables, result) => {
    if (result !== undefined) expect(await render(data, variables)).toBe(result);
    else expect((await refusalOf(render(data, variables))).code).toBe("invalid_document");
  });

  test("renders numbers as they are written", async () => {
    const numbers = '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1E400}';
    expect(await render("{{a}} {{b}} {{c}} {{d}}", numbers)).toBe("12345678901234567890 1.0 -0 1E400");
  });

  test("looks up only own properties of values", async () => {
    for (const name of [
      "constructor",
      "toString",
      "__proto__",
      "a.length",
      "l.length",
      "a.constructor.name",
    ]) {
      const refusal = await refusalOf(render(`é{{${name}}}`, { a: "x", l: [1] }));
      expect(refusal).toMatchObject({ code: "invalid_document", offset: 2, line: 1, column: 2 });
      expect(await render(`{{${name}}}`, { a: "x", l: [1] }, { missing: "empty" })).toBe("");
    }
    expect(await render("{{__proto__}}{{constructor}}", '{"__proto__":1,"constructor":2}')).toBe("12");
  });

  test("does not treat inserted text as a template", async () => {
    expect(await render("{{{a}}}", { a: "{{b}}", b: 1 })).toBe("{{b}}");
  });

  test.each([
    ["x\n{{nosuch}}", {}, 2],
    ["{{a.b.c}}", { a: { b: {} }, c: 1 }, 0],
    ["{{a}}", { a: {} }, 0],
    ["{{a}}", { a: [1] }, 0],
    ["{{> header}}", {}, 0],
    ["{{<parent}}{{/parent}}", {}, 0],
    ["{{$block}}{{/block}}", {}, 0],
    ["{{#a}}", {}, 0],
    ["x{{/a}}", {}, 1],
    ["{{#a}}{{#b}}{{/a}}{{/b}}", {}, 12],
    ["{{}}", {}, 0],
    ["{{a b}}", {}, 0],
    ["{{=a=}}", {}, 0],
    ["{{{a}}", {}, 0],
    ["{{#a}}".repeat(101), {}, 600],
  ])("%j with %j is refused at byte %i", async (data, variables, offset) => {
    expect(await refusalOf(render(data, variables))).toMatchObject({ code: "invalid_document", offset });
  });

  test("does not multiply nested sections without bound", async () => {
    const data = `${"{{#l}}".repeat(50)}${"{{/l}}".repeat(50)}`;
    const cost = startCost();
    const refusal = await refusalOf(render(data, { l: [1, 2, 3, 4, 5, 6, 7, 8, 9] }));
    expect(refusal).toMatchObject({ code: "invalid_document" });
    const long = { l: Array.from({ length: 1000 }, () => 1), t: "x".repeat(100_000) };
    expect((await refusalOf(render("{{#l}}{{t}}{{/l}}", long))).code).toBe("invalid_document");
    expect(cost()).toBeLessThan(500);
  });
});

describe("envsubst", () => {
  const envsubst = (data: string, variables: unknown, options = {}): Promise<string> =>
    render(data, variables, { syntax: "envsubst", ...options });

  test.each([
    ["$A ${A} $A_B $AB.", { A: "1", A_B: 2, AB: true }, "1 1 2 true."],
    ["$$ $1 ${} $(id) `x` ${A%.*} $", {}, "$$ $1 ${} $(id) `x` ${A%.*} $"],
    ["${A:-x}${B:-y}${C-z}${D-w}", { A: "", B: "b", C: "" }, "xbw"],
    ["$A", { A: "$B ${B}", B: 1 }, "$B ${B}"],
    ["${A:-$B}|${A:-<${B}>}|${A-${C:-c}}|${A:-a$}", { B: 1, C: "" }, "1|<1>|c|a$"],
    ["${A:-$B}", { B: "${C}" }, "${C}"],
    ["${A:-}}|${A:-${B}", { B: 1 }, "}|${B"],
    ["$A", { A: "<&>" }, "<&>"],
    ["$A", { A: null }, ""],
  ])("%j with %j is %j", async (data, variables, result) => {
    expect(await envsubst(data, variables)).toBe(result);
  });

  test("refuses a variable that is not set", async () => {
    expect(await refusalOf(envsubst("é\n${NOSUCH}", {}))).toMatchObject({
      code: "invalid_document",
      line: 2,
      column: 1,
    });
    expect(await refusalOf(envsubst("é${A:-x${B}}", {}))).toMatchObject({
      code: "invalid_document",
      column: 8,
    });
    expect(await envsubst("[$NOSUCH][$toString]", {}, { missing: "empty" })).toBe("[][]");
    expect((await refusalOf(envsubst("$A", { A: [] }))).code).toBe("invalid_document");
    expect(await refusalOf(envsubst("$A", " []"))).toMatchObject({
      code: "invalid_document",
      field: "variables",
      column: 2,
    });
  });
});

test.each(["", "{", '{"a":1,"a":2}', "[".repeat(1000)])(
  "refuses the variables %j, which are not JSON",
  async (variables) => {
    const refusal = await refusalOf(runTool(tool, { data: "", variables }));
    expect(refusal.code).toBe("invalid_document");
    expect(refusal.message).toContain("variables");
  },
);

test("returns text without tags unchanged, and inserts unescaped text unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      if (!text.includes("{{")) expect(await render(text, {})).toBe(text);
      expect(await render("{{{text}}}", { text })).toBe(text);
      expect(await render("{{text}}", { text }, { escape: "none" })).toBe(text);
    }),
  );
});
