import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/json-schema-validator.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const run = (data: string, schema: unknown, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, schema: typeof schema === "string" ? schema : JSON.stringify(schema), ...options });
const validate = async (
  data: string,
  schema: unknown,
  options: Record<string, unknown> = {},
): Promise<Report> => JSON.parse(await run(data, schema, options)) as Report;

describe("compares numbers exactly", () => {
  test.each([
    ["9007199254740993", '{"maximum":9007199254740992}', false],
    ["9007199254740993", '{"const":9007199254740992}', false],
    ["1.0", '{"const":1}', true],
    ["1e2", '{"type":"integer"}', true],
    ["0.3", '{"multipleOf":0.1}', true],
    ["1e400", '{"multipleOf":3}', false],
    ["1e400", '{"type":"integer","minimum":1e399}', true],
    ["19.99", '{"multipleOf":0.01}', true],
    ["[1,1.0]", '{"uniqueItems":true}', false],
    ['[{"a":1,"b":2},{"b":2.0,"a":1}]', '{"uniqueItems":true}', false],
    ['[1,true,"1"]', '{"uniqueItems":true}', true],
  ])("%s by %s: %s", async (data, schema, valid) => {
    expect((await validate(data, schema)).valid).toBe(valid);
  });
});

test.each([
  ["1.0", { type: "integer" }, "4", false],
  ["1.0", { type: "integer" }, "6", true],
  ["5", { maximum: 5, exclusiveMaximum: true }, "4", false],
  ["[1]", { items: [{ type: "string" }] }, "7", false],
  ["[1]", { prefixItems: [{ type: "string" }] }, "2020-12", false],
  ["[1]", { prefixItems: [{ type: "string" }] }, "2019-09", true],
  ["1", { $ref: "#/definitions/a", type: "string", definitions: { a: true } }, "7", true],
  ["1", { $ref: "#/$defs/a", type: "string", $defs: { a: true } }, "2020-12", false],
  [
    "1",
    '{"$schema":"http://json-schema.org/draft-07/schema#","if":{"minimum":0},"then":false}',
    "auto",
    false,
  ],
])("%s by %j in draft %s: %s", async (data, schema, draft, valid) => {
  expect((await validate(data, schema, { draft })).valid).toBe(valid);
});

test.each(["__proto__", "constructor", "toString"])("treats %s as an ordinary name", async (name) => {
  expect((await validate("{}", { required: [name] })).valid).toBe(false);
  expect((await validate("{}", `{"properties":{"${name}":false}}`)).valid).toBe(true);
  expect((await validate(`{"${name}":1}`, `{"properties":{"${name}":false}}`)).errors[0]?.pointer).toBe(
    `/${name}`,
  );
});

test("reports the place of the value, in all three formats", async () => {
  const schema = { properties: { a: { items: { properties: { b: { type: "string" } } } } } };
  const place = async (data: string, dataFormat: string): Promise<unknown> => {
    const [found] = (await validate(data, schema, { dataFormat })).errors;
    return [found?.pointer, found?.line, found?.column, found?.offset];
  };
  expect(await place('{"é":1,\n "a":[{}, {"b":1}]}', "json")).toEqual(["/a/1/b", 2, 16, 24]);
  expect(await place("é: 1\na:\n- {}\n- b: 1\n", "yaml")).toEqual(["/a/1/b", 4, 6, 19]);
  expect(await place("é = 1\n[[a]]\n[[a]]\nb = 1\n".replace("é", '"é"'), "toml")).toEqual([
    "/a/1/b",
    4,
    5,
    25,
  ]);
});

test("reports a document that cannot be parsed as a finding", async () => {
  expect((await validate("[1,]", true)).errors).toMatchObject([{ rule: "syntax", column: 3 }]);
  expect((await validate("a: [", true, { dataFormat: "yaml" })).valid).toBe(false);
  expect((await validate("---\n1\n---\n2\n", true, { dataFormat: "yaml" })).valid).toBe(false);
});

test.each([
  ['{"type":"strin"}', /not valid/, "/type"],
  ['{"properties":{"a":{"$ref":"#/nope"}}}', /does not exist/, "/properties/a"],
  ['{"items":{"$ref":"http://example.com/x"}}', /nothing is fetched/, "/items"],
  ['{"pattern":"("}', /regular expression/, ""],
  [`{"pattern":"${"- ".repeat(30_000)}"}`, /^schema: The pattern .* is too large to compile/, ""],
  ['{"$ref":"#"}', /without end/, ""],
  ['{"$schema":"http://json-schema.org/draft-03/schema#"}', /not one of the drafts/, ""],
  ["[]", /not valid/, ""],
  ["{", /too early/, ""],
])("refuses the schema %.60s, with its place", async (schema, message, pointer) => {
  const refusal = await refusalOf(run("1", schema));
  expect(refusal).toMatchObject({ code: "invalid_document", pointer });
  expect(refusal.message).toMatch(/^schema: /);
  expect(refusal.message).toMatch(message);
});

test("does not validate additional schemas against a meta-schema, but refuses keywords with impossible values", async () => {
  const schemas = '{"http://example.com/a":{"exclusiveMaximum":false}}';
  const refusal = await refusalOf(run("1", { $ref: "http://example.com/a" }, { schemas }));
  expect(refusal.message).toContain("not valid for the keyword exclusiveMaximum");
});

test("accepts additional documents in `schemas`, and meta-schemas with their vocabularies", async () => {
  const schemas = JSON.stringify({
    "https://example.com/a": { $defs: { b: { $anchor: "b", type: "string" } } },
    "https://example.com/meta": {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.com/meta",
      $vocabulary: {
        "https://json-schema.org/draft/2020-12/vocab/core": true,
        "https://json-schema.org/draft/2020-12/vocab/applicator": true,
      },
    },
  });
  expect((await validate("1", { $ref: "https://example.com/a#b" }, { schemas })).valid).toBe(false);
  const own = { $schema: "https://example.com/meta", items: { minimum: 5 } };
  expect((await validate("[1]", own, { schemas })).valid).toBe(true);
});

test("contains the meta-schemas of all drafts", async () => {
  for (const uri of [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ]) {
    expect((await validate('{"minLength":1}', { $ref: uri })).valid, uri).toBe(true);
    expect((await validate('{"properties":{"a":{"minLength":-1}}}', { $ref: uri })).valid, uri).toBe(false);
  }
});

test.each([
  ["date-time", "1998-12-31T23:59:60Z", "1998-12-31T22:59:60Z"],
  ["date", "2024-02-29", "2023-02-29"],
  ["duration", "P1DT2H", "PT2HP1D"],
  ["email", '"a b"@example.org', "a@b@example.org"],
  ["hostname", "xn--nxasmm1c.com", "xn--X.com"],
  ["idn-hostname", "실례.테스트", "〮실례.테스트"],
  ["ipv4", "127.0.0.1", "127.0.0.01"],
  ["ipv6", "::ffff:1.2.3.4", "1::2::3"],
  ["uri", "urn:a:b", "//a/b"],
  ["uri-reference", "?a#b", "a\\b"],
  ["iri", "http://é.example/☃", "é"],
  ["uri-template", "/a{?b,c*}", "/a{b"],
  ["uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"],
  ["json-pointer", "/a~1b/~0", "/a~2"],
  ["relative-json-pointer", "1/a", "01/a"],
  ["regex", "^a(?=b)", "^(a"],
])("format %s: accepts %s, not %s", async (format, good, bad) => {
  expect((await validate(JSON.stringify(good), { format })).errors).toEqual([]);
  expect((await validate(JSON.stringify(bad), { format })).errors).toMatchObject([{ rule: "format" }]);
  expect((await validate(JSON.stringify(bad), { format }, { formats: false })).valid).toBe(true);
});

describe("host names", () => {
  const drafts = ["draft-04", "draft-06", "draft-07", "draft/2019-09", "draft/2020-12"];
  const isValid = async (format: string, host: string, draft = "draft/2020-12"): Promise<boolean> => {
    const scheme = draft.startsWith("draft-") ? "http" : "https";
    const $schema = `${scheme}://json-schema.org/${draft}/schema${scheme === "http" ? "#" : ""}`;
    return (await validate(JSON.stringify(host), { $schema, format })).valid;
  };

  // RFC 1034 §3.5 allows hyphens anywhere except at the ends of a label.
  test.each(drafts)("may have two hyphens in the third and fourth place, in %s", async (draft) => {
    for (const host of ["ab--cd.example", "r4---sn-4g5e6nzz.googlevideo.com", "a--b.example", "a.12--3"])
      expect(await isValid("hostname", host, draft), host).toBe(true);
    for (const host of ["-a.example", "a-.example", "xn--x.example", "a..b", "a_b"])
      expect(await isValid("hostname", host, draft), host).toBe(false);
  });

  // RFC 5891 §4.2.3.1: no U-label may have them, and in ASCII only A-labels.
  test("may not have two hyphens in the third and fourth place in `idn-hostname`", async () => {
    expect(await isValid("idn-hostname", "ab--cd.example")).toBe(false);
    expect(await isValid("idn-hostname", "éb--cd.example")).toBe(false);
    expect(await isValid("idn-hostname", "xn--bcher-kva.example")).toBe(true);
  });

  // RFC 5893 §2; the number is that of its rule.
  test.each([
    ["1: a label that begins with a digit", "0a.א", false],
    ["1: the same as A-labels", "0a.xn--4db", false],
    ["1: a label of digits alone", "1.א", false],
    ["1: a label that begins with a digit of Arabic", "۰a.א", false],
    ["1: without letters from right to left there is no such rule", "0a.é", true],
    ["1: letters of either direction", "a0.א0.example", true],
    ["1: digits of Devanagari are letters to it", "०a.א", true],
    ["2: letters of both directions in one label", "אaא", false],
    ["2: a right-to-left label with a hyphen within", "א-ב", true],
    ["3: the end is a mark behind a letter", "א\u05bf", true],
    ["4: digits of two kinds", "א0٠", false],
    ["5: a letter from right to left in a label that begins with another", "aא", false],
    ["6: the end is a neutral sign", "カー・.א", false],
  ])("bidi rule %s: %s", async (_, host, valid) => {
    expect(await isValid("idn-hostname", host)).toBe(valid);
  });
});

describe("hostile schemas", () => {
  test("does not backtrack in patterns that make other engines run for ever", async () => {
    const cost = startCost();
    for (const pattern of ["^(a|a)*$", "(a+)+$", "^(\\w+\\s?)*$", "(?<x>a*)*b", "^\\s*\\s*\\s*$"]) {
      const text = JSON.stringify(`${"a".repeat(5000)}${" ".repeat(50)}!`);
      expect((await validate(text, { pattern })).valid, pattern).toBe(false);
    }
    expect(cost()).toBeLessThan(1000);
  });

  test("gives the same result whether re2 or V8 runs the pattern", async () => {
    for (const [pattern, good, bad] of [
      ["^(?!a)b", "b", "ab"],
      ["^(.)\\1$", "aa", "ab"],
      ["^\\s*\\S+\\s*$", "\u00a0x\u2003", "x y"],
      ["^[\\d\\-]+[^x]*$", "1-", "x"],
      ["^(?:\\u{1F600}|\\ud83d\\ude01)+.*$", "😀😁", "😂"],
      ["^\\p{L}+\\p{Nd}*$", "é١", "1a"],
      ["^.*.$", "é😀", "\n"],
      ["a{2,}b*$", "xaab", "ab"],
    ] as const) {
      expect((await validate(JSON.stringify(good), { pattern })).valid, pattern).toBe(true);
      expect((await validate(JSON.stringify(bad), { pattern })).valid, pattern).toBe(false);
    }
  });

  test("refuses references that double at every step", async () => {
    const $defs: Record<string, unknown> = { a0: true };
    for (let at = 1; at < 60; at++)
      $defs[`a${at}`] = { allOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] };
    expect((await refusalOf(run("1", { $ref: "#/$defs/a59", $defs }))).message).toContain("too much work");
  });

  test("follows a recursive schema 400 levels deep", async () => {
    const deep = `${"[".repeat(400)}${"]".repeat(400)}`;
    expect((await validate(deep, { items: { $ref: "#" } })).valid).toBe(true);
  });
});

test("agrees with every value about `const` and `enum`", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const data = JSON.stringify(value);
      expect((await validate(data, { const: JSON.parse(data) as unknown })).valid).toBe(true);
      expect((await validate(data, { not: { enum: [JSON.parse(data) as unknown] } })).valid).toBe(false);
    }),
    { numRuns: 50 },
  );
});

describe("formats", () => {
  const schema =
    "# why\ntype: object\nproperties:\n  port: &p {type: integer, maximum: 1.0e2}\n  other: *p\n";

  test.each([
    ["port: 101\n", { dataFormat: "yaml" }, { line: 1, column: 7, pointer: "/port" }],
    ['{"other": 101}', { schemaFormat: "yaml" }, { line: 1, column: 11, pointer: "/other" }],
    ["port = 101\n", { dataFormat: "toml", schemaFormat: "yaml" }, { line: 1, pointer: "/port" }],
    [
      '{\n// é\n"port": 101,}',
      { dataFormat: "jsonc", schemaFormat: "yaml" },
      { line: 3, column: 9, offset: 16 },
    ],
    ["{\n// é\nport: 0x65,}", { dataFormat: "json5", schemaFormat: "yaml" }, { line: 3, column: 7 }],
  ])("%j with %j by a schema in YAML", async (data, options, place) => {
    const { errors } = await validate(data, schema, options);
    expect(errors).toEqual([expect.objectContaining({ rule: "maximum", ...place })]);
  });

  test.each([
    ["port: 1", '{"required":["port"]}', { dataFormat: "yaml" }],
    ["{port: 1}", "{required: ['port'], /* c */}", { dataFormat: "json5" }],
    ["{}", '{"type":"object", // c\n}', { schemaFormat: "jsonc" }],
    ["{}", 'type = "object"', { schemaFormat: "toml" }],
    ["a: 1", "true", { dataFormat: "yaml" }],
  ])("%j by %j with %j", async (data, one, options) => {
    expect(await validate(data, one, options)).toEqual({ valid: true, errors: [] });
  });

  test.each([
    ["type: object", {}, "To accept it, set schemaFormat to yaml."],
    ["{type: 'object'}", {}, "To accept it, set schemaFormat to json5."],
    ['{"type": [1 2]}', {}, /^(?!.*To accept)/],
    ["a: 1\na: 2", {}, /^(?!.*To accept)/],
    ["type: {", { schemaFormat: "yaml" }, /^schema/],
    ["a: 1\n---\nb: 2", { schemaFormat: "yaml" }, "Expected one document"],
  ])("refuses the schema %j with %j", async (one, options, words) => {
    const refusal = await refusalOf(run("{}", one, options));
    expect(refusal.code).toBe("invalid_document");
    expect(refusal.message).toMatch(words);
  });

  test("locates faults of a schema in YAML", async () => {
    const refusal = await refusalOf(
      run("1", "é: 1\nproperties:\n  a: {type: 3}\n", { schemaFormat: "yaml" }),
    );
    expect(refusal).toMatchObject({ field: "schema", line: 3, pointer: "/properties/a/type" });
  });

  test.each([
    ["a: 1", "set dataFormat to yaml"],
    ["[1,]", "set dataFormat to jsonc"],
    ["{a: 1}", "set dataFormat to json5"],
  ])("names the format that accepts the data %j", async (data, words) => {
    const { errors } = await validate(data, "true");
    expect(errors).toEqual([expect.objectContaining({ rule: "syntax" })]);
    expect(errors[0]?.message).toContain(words);
  });
});
