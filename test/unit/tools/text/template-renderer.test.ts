import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/text/template-renderer.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { anyCharacter } from "../../../support/any-character.ts";

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
    ["$$ $1 ${} $(id) `x` ${1} ${A.b} ${A $", {}, "$$ $1 ${} $(id) `x` ${1} ${A.b} ${A $"],
    ["${A:-x}${B:-y}${C-z}${D-w}", { A: "", B: "b", C: "" }, "xbw"],
    ["$A", { A: "$B ${B}", B: 1 }, "$B ${B}"],
    ["${A:-$B}|${A:-<${B}>}|${A-${C:-c}}|${A:-a$}", { B: 1, C: "" }, "1|<1>|c|a$"],
    ["${A:-$B}", { B: "${C}" }, "${C}"],
    ["${A:-}}|}", { B: 1 }, "}|}"],
    ["${A:-${B:-${C-${D:-deep}}}}", { B: "" }, "deep"],
    // POSIX XCU §2.6.2.
    ["${A:?need}|${A?need}|${E?}", { A: "1", E: "" }, "1|1|"],
    ["[${A:+x}][${E:+x}][${E+x}][${N:+x}][${N+x}]", { A: "1", E: "" }, "[x][][x][][]"],
    ["${A:+${B}}${N:+$NOSUCH}${A:-$NOSUCH}", { A: "1", B: "b" }, "b1"],
    ["${N:=new}$N${N=other}|${A:=x}", { A: "1" }, "newnewnew|1"],
    ["${#A}${#E}", { A: "né👋", E: "" }, "30"],
    ["${F%.*}|${F%%.*}|${F#*.}|${F##*.}", { F: "a.tar.gz" }, "a.tar|a|tar.gz|gz"],
    ["${P##*/}|${P%/*}|${P#/}|${P%x}", { P: "/usr/bin/env" }, "env|/usr/bin|usr/bin/env|/usr/bin/env"],
    [
      "${F%$S}|${F%.[gt]z}|${F#[!b-z]?}|${F#[[:alpha:]]}|${F%\\*}",
      { F: "a.gz", S: ".gz" },
      "a|a|gz|.gz|a.gz",
    ],
    ["${F#[}|${F#[]]}|${F#[^]]}", { F: "]a" }, "]a|a|]a"],
    ["${F%}|${F#}|${F%*}|${F%%*}", { F: "ab" }, "ab|ab|ab|"],
    ["${A^^}${A,,}${A^}${B,}", { A: "éX", B: "XY" }, "ÉXéxÉXxY"],
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
    for (const form of ["${#N}", "${N%x}", "${N^^}"])
      expect((await refusalOf(envsubst(form, {}))).message).toContain("set missing to empty or keep");
    expect(await envsubst("[$NOSUCH][$toString]", {}, { missing: "empty" })).toBe("[][]");
    expect((await refusalOf(envsubst("$A", { A: [] }))).code).toBe("invalid_document");
    expect(await refusalOf(envsubst("$A", " []"))).toMatchObject({
      code: "invalid_document",
      field: "variables",
      column: 2,
    });
  });
});

describe("envsubst", () => {
  const envsubst = (data: string, variables: unknown, options = {}): Promise<string> =>
    render(data, variables, { syntax: "envsubst", ...options });

  test("keeps references without a value, and forms of other shells", async () => {
    const data = "$A ${A} ${A%.*} ${#A} ${A/x/${B}} ${A:0:2} ${A[0]} ${!A} ${A@Q} ${A:-$B} ${A:+x} $B ${A:-";
    expect(await envsubst(data, { B: 1 }, { missing: "keep" })).toBe(
      "$A ${A} ${A%.*} ${#A} ${A/x/${B}} ${A:0:2} ${A[0]} ${!A} ${A@Q} 1  1 ${A:-",
    );
  });

  test("substitutes only the variables that are named", async () => {
    const nginx = "listen ${PORT:-80}; $host ${request_uri} ${uri:-${PORT}} ${args/x/y} ${!x}$PORT ${PORT";
    for (const only of [["PORT"], ["$PORT", "${A}"]])
      expect(await envsubst(nginx, { PORT: 8080, uri: "no" }, { only })).toBe(
        "listen 8080; $host ${request_uri} ${uri:-${PORT}} ${args/x/y} ${!x}8080 ${PORT",
      );
    expect((await refusalOf(envsubst("$A", {}, { only: ["A"] }))).message).toContain("A has no value");
    expect(await refusalOf(envsubst("", {}, { only: ["A B"] }))).toMatchObject({ code: "invalid_input" });
    expect((await refusalOf(render("", {}, { only: ["A"] }))).message).toContain("envsubst");
  });

  test("${NAME:?message} refuses with the message, whatever missing says", async () => {
    for (const missing of ["error", "empty", "keep"])
      expect(await refusalOf(envsubst("\n${A:?need ${B}}", { A: "", B: "it" }, { missing }))).toMatchObject({
        code: "invalid_document",
        message: expect.stringContaining("requires A: need it.") as string,
        line: 2,
        column: 1,
      });
  });

  test.each(["${A/x/y}", "${A:0:2}", "${A@Q}", "${A[0]}", "${!A}", "${A^^x}", "${A:-${B}"])(
    "refuses %s and names the option that keeps it",
    async (data) => {
      for (const missing of ["error", "empty"])
        expect((await refusalOf(envsubst(data, { A: "", B: "" }, { missing }))).message).toContain(
          "set missing to keep",
        );
      expect(await envsubst(data, { A: "", B: "" }, { missing: "keep" })).toBe(data);
    },
  );

  test("a pattern with many stars takes linear time for each of its characters", async () => {
    const value = "a".repeat(100_000);
    expect(await envsubst(`\${A%%${"*a".repeat(50)}b}`, { A: value })).toBe(value);
    expect((await refusalOf(envsubst("${A#a}", { A: "a".repeat(1_000_001) }))).message).toContain("1000000");
  });

  test("forms nested by the hundred thousand are read, and the size of what they repeat is bounded", async () => {
    const depth = 100_000;
    expect(await envsubst("${A:-".repeat(depth) + "}".repeat(depth), {})).toBe("");
    const growing = `${"${A:-xxxxxxxxxx".repeat(depth)}${"}".repeat(depth)}`;
    expect((await refusalOf(envsubst(growing, {}))).message).toContain("exceeds");
  });
});

test("mustache keeps the tags of variables without a value", async () => {
  const data = "{{a}} {{ b.c }} {{{d}}} {{& e}} {{#f}}{{g}}{{/f}}{{^f}}{{=<% %>=}}<% g %>{{x}}<%/f%>";
  expect(await render(data, { a: "<" }, { missing: "keep" })).toBe(
    "&lt; {{ b.c }} {{{d}}} {{& e}} <% g %>{{x}}",
  );
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
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
      if (!text.includes("{{")) expect(await render(text, {})).toBe(text);
      expect(await render("{{{text}}}", { text })).toBe(text);
      expect(await render("{{text}}", { text }, { escape: "none" })).toBe(text);
    }),
  );
});
