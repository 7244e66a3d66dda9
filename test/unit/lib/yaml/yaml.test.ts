import { DocumentFault } from "../../../../src/lib/fault.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { toJson } from "../../../../src/lib/data/to-json.ts";
import { fromYaml, type YamlOptions } from "../../../../src/lib/yaml/from-yaml.ts";
import { loadYaml } from "../../../../src/lib/yaml/parse.ts";
import { toYaml, type YamlLayout } from "../../../../src/lib/yaml/to-yaml.ts";
import { jsonText } from "../json-text.ts";
import { startCost } from "../../../cost/start-cost.ts";

const yaml = await loadYaml();
const reading: YamlOptions = { schema: "core", merge: true, keys: "error" };
const layout: YamlLayout = { indent: 2, compat: "yaml1.1", lineWidth: 0 };

const read = (text: string, options: Partial<YamlOptions> = {}): string =>
  toJson(fromYaml(yaml, text, { ...reading, ...options })[0] ?? null, 0);

describe("plain scalars", () => {
  test.each([
    ["~", "null", "null"],
    ["", "null", "null"],
    ["NULL", "null", "null"],
    ["nULL", '"nULL"', '"nULL"'],
    ["True", "true", "true"],
    ["no", '"no"', "false"],
    ["y", '"y"', "true"],
    ["012", "12", "10"],
    ["0o14", "12", '"0o14"'],
    ["0x1F", "31", "31"],
    ["0b101", '"0b101"', "5"],
    ["1_000", '"1_000"', "1000"],
    ["+1.", "1.0", "1.0"],
    [".5", "0.5", "0.5"],
    ["-00.50e+1", "-0.50e+1", "-0.50e+1"],
    ["1:30", '"1:30"', "90"],
    ["-1:30.5", '"-1:30.5"', "-90.5"],
    ["12345678901234567890", "12345678901234567890", "12345678901234567890"],
    ["1.0", "1.0", "1.0"],
    ["-.inf", '"-inf"', '"-inf"'],
    ["2024-02-30", '"2024-02-30"', '"2024-02-30"'],
    ["2001-12-14 21:59:43.10 -5", '"2001-12-14 21:59:43.10 -5"', '"2001-12-14T21:59:43.10-05:00"'],
    ["1e3", "1e3", "1e3"],
    [".", '"."', '"."'],
    ["1.2.3", '"1.2.3"', '"1.2.3"'],
  ])("%s", (text, core, old) => {
    expect(read(`- ${text}`)).toBe(`[${core}]`);
    expect(read(`- ${text}`, { schema: "yaml-1.1" })).toBe(`[${old}]`);
    expect(read(`- ${text}`, { schema: "failsafe" })).toBe(`[${JSON.stringify(text)}]`);
  });

  test("YAML's own tags determine the type of a scalar, others do not", () => {
    expect(read("[!!str 1, !!int '1', !!float 2, !own 3, !!null '', !!bool 'true', ! a]")).toBe(
      '["1",1,2,"3",null,true,"a"]',
    );
    expect(() => read("!!int x")).toThrow("!!int");
  });

  test("reads a document that declares YAML 1.1 by its rules", () => {
    expect(read("%YAML 1.1\n---\n[no, 012]")).toBe("[false,10]");
  });
});

describe("maps", () => {
  test.each([
    ["__proto__: 1\nconstructor: 2\n'2': 3\n'1': 4", {}, '{"__proto__":1,"constructor":2,"2":3,"1":4}'],
    ["a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}", {}, '{"a":{"x":1,"y":2},"b":{"x":1,"y":3}}'],
    [
      "a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc: {q: 0, <<: [*a, *b]}",
      {},
      '{"a":{"x":1},"b":{"x":2,"z":3},"c":{"q":0,"x":1,"z":3}}',
    ],
    ["<<: {a: 1}", { merge: false }, '{"<<":{"a":1}}'],
    ["'<<': {a: 1}", {}, '{"<<":{"a":1}}'],
    [
      "1: a\n2.50: b\n~: c\n[x, 1]: d",
      { keys: "stringify" },
      '{"1":"a","2.50":"b","~":"c","[\\"x\\",1]":"d"}',
    ],
    ["2024-01-01: a", {}, '{"2024-01-01":"a"}'],
    ["a: &x 1\nb: *x\nc: &x 2\nd: *x", {}, '{"a":1,"b":1,"c":2,"d":2}'],
  ] as const)("%j", (text, options, json) => {
    expect(read(text, options)).toBe(json);
  });

  test.each([
    ["a: 1\nb: 2\na: 3", 10, "twice in this map; the first is on line 1"],
    ["{a: 1, 'a': 2}", 7, "twice"],
    ["1: a", 0, "stringify"],
    ["<<: 1", 4, "merge"],
    ["a: *b", 3, "no anchor"],
    ["a: &a [*a]", 7, "inside"],
    ["a: b: c", 3, "Nested mappings"],
    ["a: \u0001", 3, "U+0001"],
    ["a: '\ud800'", 4, "U+D800"],
    ["%YAML 1.2\n%YAML 1.2\n---\n", 10, "one %YAML"],
    ["%YAML 1.2\n", 0, "needs a document"],
  ])("%j is refused", (text, index, words) => {
    const work = (): string => read(text);
    expect(work).toThrow(words);
    expect(work).toThrow(expect.objectContaining({ at: { index } }) as Error);
    expect(work).toThrow(DocumentFault);
  });
});

describe("hostile documents", () => {
  const many = (count: number, item: string): string => Array.from({ length: count }, () => item).join(",");
  const laughs = Array.from(
    { length: 12 },
    (_, level) => `a${level}: &a${level} [${many(9, level === 0 ? "x" : `*a${level - 1}`)}]`,
  ).join("\n");
  const ladder = Array.from(
    { length: 10 },
    (_, level) => `- &l${level} ${"[".repeat(100)}${level === 0 ? "" : `*l${level - 1}`}${"]".repeat(100)}`,
  ).join("\n");
  test.each([
    ["a billion laughs", laughs, "repeat more than"],
    ["a large text many times", `a: &a ${"x".repeat(100_000)}\nb: [${many(1000, "*a")}]`, "repeat more than"],
    ["levels on levels by aliases", ladder, "512 levels"],
    ["brackets", "[".repeat(20_000), "512 levels"],
    ["dashes", `${"- ".repeat(20_000)}x`, "512 levels"],
    ["keys in keys in keys", "? ".repeat(300), "stringify"],
    ["names as long as the document", `!${"!".repeat(100_000)} a`, "…"],
  ])("%s", (_, text, words) => {
    const cost = startCost();
    expect(() => read(text)).toThrow(words);
    expect(cost()).toBeLessThan(300);
  });

  test("does not double nested keys without limit", () => {
    expect(() => read("? ".repeat(300), { keys: "stringify" })).toThrow("65536");
  });

  test("reads a number of a megabyte in linear time", () => {
    const digits = "1".repeat(1_000_000);
    expect(read(digits)).toBe(digits);
    expect(read(`${digits}x`)).toBe(`"${digits}x"`);
  });
});

describe("writing", () => {
  test.each([
    ['{"a":[[1,[]],{"b":{},"c":[2]}]}', "a:\n  - - 1\n    - []\n  - b: {}\n    c:\n      - 2\n"],
    [
      '["no","n","1.0","012","0o14","1e5","2024-01-01","1:30","~","","<<","=","- x","a: b","a #b"]',
      '- "no"\n- "n"\n- "1.0"\n- "012"\n- "0o14"\n- "1e5"\n- "2024-01-01"\n- "1:30"\n- "~"\n- ""\n- "<<"\n- "="\n- "- x"\n- "a: b"\n- "a #b"\n',
    ],
    [
      '["http://x/y?z","C:\\\\x","it\'s","5 apples","a, b"]',
      "- http://x/y?z\n- C:\\x\n- it's\n- 5 apples\n- a, b\n",
    ],
    [
      "[1.0,-0,12345678901234567890,1.5E+3,1E5]",
      "- 1.0\n- -0\n- 12345678901234567890\n- 1.5E+3\n- !!float 1E5\n",
    ],
    [
      '["a\\nb","a\\n","a\\n\\n"," a\\nb","a\\n \\nb"]',
      '- |-\n  a\n  b\n- |\n  a\n- |+\n  a\n\n- " a\\nb"\n- "a\\n \\nb"\n',
    ],
    ['"\\u0000\\u0085\\u2028\\ufeff"', '"\\u0000\\u0085\\u2028\\ufeff"\n'],
    ["[]", "[]\n"],
    ['"x"', "x\n"],
  ])("%s", (json, text) => {
    expect(toYaml(fromJson(json), layout)).toBe(text);
  });

  test("quotes less for parsers that support only 1.2", () => {
    const value = fromJson('["no","Null","1:30","0o14","12",1E5]');
    expect(toYaml(value, { ...layout, compat: "yaml1.2" })).toBe(
      '- no\n- "Null"\n- 1:30\n- "0o14"\n- "12"\n- 1E5\n',
    );
  });

  test("folds long text at single spaces", () => {
    const value = fromJson('{"t":"aaaa bbbb cccc dddd eeee  ffff"}');
    expect(toYaml(value, { ...layout, lineWidth: 22 })).toBe("t: >-\n  aaaa bbbb cccc dddd\n  eeee  ffff\n");
  });

  test("writes what every parser reads alike: penknife's with either schema, and another one", () => {
    fc.assert(
      fc.property(
        jsonText({ null: true }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(0, 30),
        (text, indent, lineWidth) => {
          const value = fromJson(text);
          const written = toYaml(value, { ...layout, indent, lineWidth });
          expect(read(written)).toBe(toJson(value, 0));
          expect(read(written, { schema: "yaml-1.1" })).toBe(toJson(value, 0));
          const plain = toYaml(value, { ...layout, indent, lineWidth, compat: "yaml1.2" });
          expect(read(plain)).toBe(toJson(value, 0));
          // JavaScript objects keep neither the order of such keys nor __proto__, and JSON no -0.
          fc.pre(!/__proto__|-0/.test(text));
          for (const version of ["1.1", "1.2"] as const)
            expect(parse(written, { version, logLevel: "silent" })).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});
