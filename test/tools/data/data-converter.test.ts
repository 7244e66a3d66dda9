import { describe, expect, test } from "vitest";
import { dataFormats } from "../../../src/lib/data/convert.ts";
import dataConverter from "../../../src/tools/data/data-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const convert = (from: string, to: string, data: string): Promise<string> =>
  runTool(dataConverter, { data, from, to, indent: 0 });

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
    { data: "a\nb", from: "ini", to: "json" },
    { code: "invalid_document", line: 1 },
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
