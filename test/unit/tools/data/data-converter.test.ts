import { describe, expect, test } from "vitest";
import { dataFormats } from "../../../../src/lib/data/convert.ts";
import dataConverter from "../../../../src/tools/data/data-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const convert = (from: string, to: string, data: string, options = {}): Promise<string> =>
  runTool(dataConverter, { data, from, to, indent: 0, ...options });

const unit = "A=1\n[S]\nE=a\nE=b\nE=c\n";

describe("a list of records converts between all formats but maps of text", () => {
  const records = '[{"id":"007","name":"a \\"b\\", c"}]';
  test.each(["json", "jsonc", "yaml", "csv", "tsv", "ndjson"])("%s", async (format) => {
    const text = await convert("json", format, records);
    expect(await convert(format, "json", text)).toBe(records);
  });
});

describe("a map of text converts between all formats", () => {
  const map = '{"a":"1.0","b":"no","c":"x=y # z","__proto__":""}';
  test.each(["json", "jsonc", "yaml", "toml", "ini", "properties", "env"])("%s", async (format) => {
    expect(await convert(format, "json", await convert("json", format, map))).toBe(map);
  });
  test("xml", async () => {
    const xml = await convert("json", "xml", '{"r":{"a":"1.0","b":"no"}}');
    expect(await convert("xml", "json", xml)).toBe('{"r":{"a":"1.0","b":"no"}}');
  });
});

test.each([
  [
    "toml",
    "yaml",
    "d = 1979-05-27\nt = 07:30\nz = 1979-05-27 07:32:00Z\ni = -inf",
    'd: 1979-05-27\nt: "07:30:00"\nz: 1979-05-27T07:32:00Z\ni: -.inf\n',
  ],
  [
    "yaml",
    "toml",
    "d: 1979-05-27\nq: '1979-05-27'\nz: 1979-05-27T07:32:00Z\nn: .nan",
    'd = 1979-05-27\nq = "1979-05-27"\nz = 1979-05-27T07:32:00Z\nn = nan\n',
  ],
  [
    "toml",
    "json",
    "n = 123456789012345678901234567890\nf = 1.0",
    '{"n":123456789012345678901234567890,"f":1.0}',
  ],
  ["jsonc", "json", '{"a": 1, /* b */ }', '{"a":1}'],
  ["xml", "json", '<a x="1"><b>01</b></a>', '{"a":{"@x":"1","b":"01"}}'],
  [
    "ini",
    "json",
    'a=1\n[s]\nb: " x;\\n"\n[t]\n[s]\nc="d" e\n',
    '{"a":"1","s":{"b":" x;\\n","c":"\\"d\\" e"},"t":{}}',
  ],
  [
    "json",
    "ini",
    '{"s":{"k":[1,{"x":null}],"e":{}},"a":"  b "}',
    'a = "  b "\n\n[s]\nk.0 = 1\nk.1.x = \ne = \n',
  ],
  ["properties", "json", "# c\na.b : c\\\n   d\nk\\ e=\\u00e9\\t\nz\n", '{"a.b":"cd","k e":"é\\t","z":""}'],
  ["json", "properties", '{"a":{"b c":" x\\n"},"#":1.0}', "a.b\\ c=\\ x\\n\n\\#=1.0\n"],
  ["ndjson", "csv", '{"a":1}\n{"a":1.50}', "a\n1\n1.50"],
])("%s to %s: %j", async (from, to, data, result) => {
  expect(await convert(from, to, data)).toBe(result);
});

test.each([
  [
    { data: "[1]", from: "json", to: "toml" },
    { code: "invalid_document", pointer: "" },
  ],
  [
    { data: "a: [1, null]", from: "yaml", to: "toml" },
    { code: "invalid_document", pointer: "/a/1" },
  ],
  [
    { data: '{"a": [1, null]}', from: "json", to: "toml" },
    { code: "invalid_document", pointer: "/a/1", column: 11 },
  ],
  [
    { data: "a\n=b", from: "ini", to: "json" },
    { code: "invalid_document", line: 2 },
  ],
  [
    { data: "a=1\na=2", from: "ini", to: "json" },
    { code: "invalid_document", line: 2 },
  ],
  [
    { data: "a=1\na=2", from: "properties", to: "json" },
    { code: "invalid_document", line: 2 },
  ],
  [{ data: '{"a.b":1,"a":{"b":2}}', from: "json", to: "properties" }, { code: "invalid_document" }],
  [{ data: "a: 1\n---\nb: 2", from: "yaml", to: "json" }, { code: "invalid_document" }],
  [
    { data: "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", from: "xml", to: "json" },
    { code: "invalid_document" },
  ],
  [{ data: "", from: "json", to: "yml" }, { code: "invalid_input" }],
])("%j is refused", async (input, refusal) => {
  expect(await refusalOf(runTool(dataConverter, input))).toMatchObject(refusal);
});

test("every pair answers or refuses arbitrary input", async () => {
  for (const data of [
    "",
    " ",
    "\0",
    "a",
    "a=b",
    "[1]",
    '{"a":{"b":[null]}}',
    "<a/>",
    "\ufeff",
    "[a]\nb=c",
    "- 1",
  ]) {
    for (const from of dataFormats) {
      for (const to of dataFormats) {
        try {
          await convert(from, to, data);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_document" });
        }
      }
    }
  }
});

describe("tags of YAML", () => {
  const data = "a: !vault x\nb: !env [HOME]\n";

  test.each(["json", "toml", "xml"])("are refused to %s, with the place and the option", async (to) => {
    const refusal = await refusalOf(convert("yaml", to, data));
    expect(refusal).toMatchObject({ code: "invalid_document", line: 1, column: 11 });
    expect(refusal.message).toContain("set tags to keep, cloudformation or drop");
  });

  test.each([
    ["drop", '{"a":"x","b":["HOME"]}'],
    ["keep", '{"a":{"!vault":"x"},"b":{"!env":["HOME"]}}'],
    ["cloudformation", '{"a":{"Fn::vault":"x"},"b":{"Fn::env":["HOME"]}}'],
  ])("%s", async (tags, result) => {
    expect(await runTool(dataConverter, { data, from: "yaml", to: "json", indent: 0, tags })).toBe(result);
  });

  test.each([{ tags: "drop" }, { inlineComments: true }])("%j has no meaning for JSON", async (option) => {
    const input = { data: "{}", from: "json", to: "yaml", ...option };
    expect((await refusalOf(runTool(dataConverter, input))).code).toBe("invalid_input");
  });
});

describe("INI", () => {
  const read = (data: string, options = {}): Promise<string> =>
    runTool(dataConverter, { data, from: "ini", to: "json", indent: 0, ...options });

  // As Python's configparser reads them, with allow_no_value.
  test.each([
    ["[a]\nx = 1\n  cont\n[b]\ny=2\n", '{"a":{"x":"1\\ncont"},"b":{"y":"2"}}'],
    ["[o]\nrequires =\n    a>=1\n    b\n[x]\nk : v\n", '{"o":{"requires":"\\na>=1\\nb"},"x":{"k":"v"}}'],
    ["[core]\n\tbare = false\n\tmode = 1\n", '{"core":{"bare":"false","mode":"1"}}'],
    ["[a]\nx = 1\n\n  y = 2\n", '{"a":{"x":"1","y":"2"}}'],
    ["[mysqld]\nskip-networking\nport=1\n", '{"mysqld":{"skip-networking":null,"port":"1"}}'],
    ["a = b ; c # d\n", '{"a":"b ; c # d"}'],
    ["x=1\n[x]\n", undefined],
    ["=1\n", undefined],
  ])("%j", async (data, result) => {
    if (result === undefined) expect((await refusalOf(read(data))).code).toBe("invalid_document");
    else expect(await read(data)).toBe(result);
  });

  test("a comment after a value, if asked to", async () => {
    const data = "a = b ; c\n[s] ; d\nurl = http://x/#y\nkey # e\n";
    expect(await read(data, { inlineComments: true })).toBe('{"a":"b","s":{"url":"http://x/#y","key":null}}');
  });
});

test("a continuation may be in an escape of properties", async () => {
  expect(await convert("properties", "json", "AAA\\u\\\n  00\\\r\n50=B\n")).toBe('{"AAAP":"B"}');
  expect((await refusalOf(convert("properties", "json", "a=\\u00\\\n5"))).code).toBe("invalid_document");
});

test.each([
  ['{"users":[{"a":1},{"a":2}]}', "a\n1\n2"],
  ['{"users":[1]}', "users.0\n1"],
  ['{"a":[{"b":1}],"c":1}', "a.0.b,c\n1,1"],
])("%s has these records in CSV", async (data, csv) => {
  expect(await convert("json", "csv", data)).toBe(csv);
});

test("a fault in wrapped records has its pointer", async () => {
  const refusal = await refusalOf(convert("json", "csv", '{"u/s":[{"a":{"b":1},"a.b":2}]}'));
  expect(refusal).toMatchObject({
    code: "invalid_document",
    pointer: expect.stringMatching(/^\/u~1s\/0/) as string,
  });
});

test("nulls are left out where a format has none", async () => {
  const input = { data: '{"a":null,"b":{"c":null,"d":1}}', from: "json", to: "toml" };
  expect((await refusalOf(runTool(dataConverter, input))).code).toBe("invalid_document");
  expect(await runTool(dataConverter, { ...input, nulls: "omit" })).toBe("[b]\nd = 1\n");
});

test.each([
  [unit, "ini", { duplicateKeys: "list" }, '{"A":"1","S":{"E":["a","b","c"]}}'],
  [unit, "ini", { duplicateKeys: "last" }, '{"A":"1","S":{"E":"c"}}'],
  ["a=1\na:2", "properties", { duplicateKeys: "list" }, '{"a":["1","2"]}'],
  ["A=1\nA=2", "env", { duplicateKeys: "list" }, '{"A":["1","2"]}'],
  ['{"a":1,"b":2,"a":3}', "json", { duplicateKeys: "last" }, '{"a":3,"b":2}'],
  ["{a:1,a:2,}", "json5", { duplicateKeys: "last" }, '{"a":2}'],
  ["a.b=1\na.c.0=2\nd=3", "properties", { unflatten: true }, '{"a":{"b":"1","c":["2"]},"d":"3"}'],
  ["[a]\nb.c=1\n[a.d]\ne=2", "ini", { unflatten: true }, '{"a":{"b":{"c":"1"},"d":{"e":"2"}}}'],
  ["A_B=1", "env", { unflatten: true }, '{"A":{"B":"1"}}'],
  ["a.b\n1\n", "csv", { unflatten: true }, '[{"a":{"b":"1"}}]'],
])("reads %j from %s with %j", async (data, from, options, result) => {
  expect(await convert(from, "json", data, options)).toBe(result);
});

test("writes nested values to ENV", async () => {
  expect(await convert("json", "env", '{"a":{"b":[1]}}')).toBe("a_b_0=1");
});

test.each([
  [unit, "ini", "json", {}, "To accept it, set duplicateKeys to last or list."],
  ["a=1\na=2", "properties", "json", {}, "To accept it, set duplicateKeys to last or list."],
  ["A=1\nA=2", "env", "json", {}, "set duplicateKeys to last."],
  [
    '{"a":1,"a":2}',
    "json",
    "yaml",
    {},
    /^Duplicate key "a" \(to accept it, set duplicateKeys to last\) at line 1/,
  ],
  ['{"a":1,"a":2}', "json", "yaml", { duplicateKeys: "list" }, "must be error or last if from is json"],
  ["a: 1", "yaml", "json", { duplicateKeys: "last" }, "must be error if from is yaml"],
  ["{}", "jsonc", "json5", { duplicateKeys: "last" }, "set to to json"],
  ["{}", "jsonc", "json5", { unflatten: true }, "set to to json"],
  ['{"a":{"b":1},"a.b":2}', "json", "properties", {}, /^(?!.*duplicateKeys)/],
])("%j from %s to %s with %j is refused", async (data, from, to, options, words) => {
  expect((await refusalOf(convert(from, to, data, options))).message).toMatch(words);
});
