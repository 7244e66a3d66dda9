import { describe, expect, test } from "vitest";
import { readCsv } from "../../../../src/lib/csv/read.ts";
import { csvToJsonText } from "../../../../src/lib/csv/to-json-text.ts";
import { toJson as writeJson } from "../../../../src/lib/data/to-json.ts";
import toJson from "../../../../src/tools/data/csv-to-json.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

test.each([
  [' a ,b\n x,"\ty "\n', { trim: true }, '[{"a":"x","b":"y"}]'],
  ['a,b\n,""\n', { emptyFields: "null" }, '[{"a":null,"b":null}]'],
  ["a,b\n ,1\n", { trim: true, emptyFields: "null", types: "infer" }, '[{"a":null,"b":1}]'],
  ["a\n", { emptyFields: "null", header: false }, '[["a"]]'],
  ["a.b,a.c.0,d\n1,2,3\n", { unflatten: true, types: "infer" }, '[{"a":{"b":1,"c":[2]},"d":3}]'],
  ["a.b,c\n1\n", { unflatten: true, ragged: "keep" }, '[{"a":{"b":"1"}}]'],
  ["a.b\nx.y\n", { unflatten: true, header: false }, '[["a.b"],["x.y"]]'],
])("reads %j with %j", async (data, options, result) => {
  expect(await read(data, options)).toBe(result);
});

test("refuses columns that contradict each other, and names that trim makes equal", async () => {
  const refusal = await refusalOf(read("a,a.b\n1,2", { unflatten: true }));
  expect(refusal.message).toContain('"a" is a value and also an object');
  expect((await refusalOf(read("a, a\n1,2", { trim: true }))).message).toContain("occurs twice");
});

test.each([
  ["", {}, "[]"],
  ["a,b", {}, "[]"],
  ["a,b\n1,2", {}, '[{"a":"1","b":"2"}]'],
  ["a,b\r\n1,2\r\n", {}, '[{"a":"1","b":"2"}]'],
  ["a,b\r1,2\r", {}, '[{"a":"1","b":"2"}]'],
  ["a,b\n1,2\r\n3,4\n", {}, '[{"a":"1","b":"2"},{"a":"3","b":"4"}]'],
  ['"a\r\nb",c\n1,2', {}, '[{"a\\r\\nb":"1","c":"2"}]'],
  ['"a\nb",c\r1,2', {}, '[{"a\\nb":"1","c":"2"}]'],
  ['a\n"x""y"', {}, '[{"a":"x\\"y"}]'],
  ['a\n""""', {}, '[{"a":"\\""}]'],
  ['a,b\n"",""', {}, '[{"a":"","b":""}]'],
  ['a\n""', {}, '[{"a":""}]'],
  ['a,b\n5" disk,3', {}, '[{"a":"5\\" disk","b":"3"}]'],
  ["\uFEFFa\n1", {}, '[{"a":"1"}]'],
  ["n\n007\n1.0\n-0\n1e3\n\n#x", {}, '[{"n":"007"},{"n":"1.0"},{"n":"-0"},{"n":"1e3"},{"n":""},{"n":"#x"}]'],
  [
    "n,m\n007,1.0\n-0,1e3\nTRUE,false\n12345678901234567890,\n0.1,0.30000000000000000004",
    { types: "infer" },
    '[{"n":"007","m":1.0},{"n":"-0","m":1e3},{"n":true,"m":false},{"n":"12345678901234567890","m":""},{"n":0.1,"m":"0.30000000000000000004"}]',
  ],
  ["a,b\n1,1", { types: "infer", inferColumns: ["b"] }, '[{"a":"1","b":1}]'],
  // Fields of 32 and of 33 characters.
  [
    `a\n1.${"0".repeat(30)}\n1.${"0".repeat(31)}`,
    { types: "infer" },
    `[{"a":1.${"0".repeat(30)}},{"a":"1.${"0".repeat(31)}"}]`,
  ],
  ["1,1", { types: "infer", inferColumns: ["1"], header: false }, '[["1",1]]'],
  ["a,b\n1", { ragged: "pad" }, '[{"a":"1","b":""}]'],
  ["a,b\n1", { ragged: "keep" }, '[{"a":"1"}]'],
  ["a\n1,2,3", { ragged: "keep", header: false }, '[["a"],["1","2","3"]]'],
  ["# c\na\n#,1\n1", { comment: "#" }, '[{"a":"1"}]'],
  ["a\n\n1\n", {}, '[{"a":""},{"a":"1"}]'],
  [
    'a,b\n\n1,2\n""\n,\n',
    { emptyLines: "skip", ragged: "keep" },
    '[{"a":"1","b":"2"},{"a":""},{"a":"","b":""}]',
  ],
  ["a,b\n\n1,2\n , \n", { emptyLines: "skip-blank" }, '[{"a":"1","b":"2"}]'],
  ["a,a,a_1\n1,2,3", { duplicateHeaders: "rename" }, '[{"a":"1","a_2":"2","a_1":"3"}]'],
  ["a\n1\n2\n3", { limit: 2 }, '[{"a":"1"},{"a":"2"}]'],
  ["a;b\n1,5;2", { delimiter: "auto" }, '[{"a":"1,5","b":"2"}]'],
  ["a\tb\n1\t2", { delimiter: "tab" }, '[{"a":"1","b":"2"}]'],
  ["a::b\n1::2:", { delimiter: "::" }, '[{"a":"1","b":"2:"}]'],
  ["a\n'x''\ny'", { quote: "'" }, '[{"a":"x\'\\ny"}]'],
  ['a,b\n"1" ,"x"y"', { quotes: "lenient" }, '[{"a":"1","b":"x\\"y"}]'],
  ['a\n"x\ny', { quotes: "lenient" }, '[{"a":"x\\ny"}]'],
  ["__proto__,constructor,toString\n1,2,3", {}, '[{"__proto__":"1","constructor":"2","toString":"3"}]'],
  ["2,1\na,b", {}, '[{"2":"a","1":"b"}]'],
])("%j with %j", async (data, options, result) => {
  expect(await read(data, options)).toBe(result);
});

test.each([
  ["a,b\n1,2\n3", {}, 3, 1, "1 field; the first has 2"],
  ["a\n1,2", { ragged: "pad" }, 2, 1, "2 fields"],
  ["a,b\n\n1,2\n", {}, 2, 1, "set emptyLines to skip"],
  ['a\n"é"x', {}, 2, 4, "closing quote"],
  ['a\n"x"" ', {}, 2, 1, "never closed"],
  ["a,b,a\n1,2,3", {}, 1, 1, "occurs twice"],
])("%j with %j is refused", async (data, options, line, column, words) => {
  const refusal = await refusalOf(read(data, options));
  expect(refusal).toMatchObject({ code: "invalid_document", line, column });
  expect(refusal.message).toContain(words);
});

test.each([
  { delimiter: "" },
  { delimiter: "\n" },
  { delimiter: '"' },
  { quote: "" },
  { quote: "ab" },
  { quote: "\r" },
  { limit: 0 },
])("%j is an invalid call", async (options) => {
  expect((await refusalOf(read("a", options))).code).toBe("invalid_input");
});

test.each([
  ["bare quotes", 'a"\n'.repeat(25_000), {}],
  ["quoted fields", '"a"\n'.repeat(25_000), {}],
  ["no delimiter", '"a"b"\n'.repeat(25_000), { quotes: "lenient" }],
  ["duplicate columns", "a,".repeat(12_000), { duplicateHeaders: "rename" }],
])("%s take linear time", async (_, data, options) => {
  expect((await read(data, { header: false, ragged: "keep", ...options })).length).toBeGreaterThan(
    data.length,
  );
  expect((await refusalOf(read(`${data}\n1,2`, options))).code).toBe("invalid_document");
});

describe("what spreadsheets and people write", () => {
  test.each([
    ['"a", "b"\n"1",\t"x, y" \n', { trim: true }, '[{"a":"1","b":"x, y"}]'],
    ['a\t"b"\n1\t "c"\n', { trim: true, delimiter: "tab" }, '[{"a":"1","b":"c"}]'],
    ["a,b\n1,2\n\n\r\n", {}, '[{"a":"1","b":"2"}]'],
    ["a\n1\n\n", {}, '[{"a":"1"},{"a":""}]'],
    ["No.,a..b,c.d\n1,2,3\n", { unflatten: true }, '[{"No.":"1","a..b":"2","c":{"d":"3"}}]'],
  ])("%j with %j", async (data, options, result) => {
    expect(await read(data, options)).toBe(result);
  });

  test("an empty line in the middle is still refused", async () => {
    expect((await refusalOf(read("a,b\n\n1,2\n"))).message).toContain("emptyLines to skip");
  });

  test.each([
    ["utf-16", Buffer.from("name\nMüller\n", "utf16le")],
    ["utf-16", Buffer.from("\uFEFFname\nMüller\n", "utf16le").swap16()],
    ["windows-1252", Buffer.from("name\nM\xfcller\n", "latin1")],
    ["auto", Buffer.from("\ufeffname\nM\u00fcller\n", "utf16le")],
    ["auto", Buffer.from("\ufeffname\nM\u00fcller\n")],
  ])("reads a raw body in %s", async (encoding, body) => {
    expect((await runRaw(toJson, body, { encoding, indent: "0" })).toString()).toBe('[{"name":"Müller"}]');
  });

  test("names the option for bytes that are no UTF-8", async () => {
    const refusal = await refusalOf(runRaw(toJson, Buffer.from("name\nM\xfcller\n", "latin1"), {}));
    expect(refusal).toMatchObject({ code: "invalid_document" });
    expect(refusal.message).toContain("Set encoding, to windows-1252");
  });
});

const defaults = {
  delimiter: ",",
  quote: '"',
  comment: "",
  quotes: "strict",
  duplicateHeaders: "error",
  emptyLines: "keep",
  types: "none",
  inferColumns: [],
  limit: 100,
} as const;

test("writes the same text directly as through the values of the records", async () => {
  const data = 'a,"b ""\n"\n1,"é\u2028\\"\n\ud83d\ude00,true\n';
  const options = { ...defaults, ragged: "error", header: true } as const;
  for (const indent of [0, 2, 10]) {
    for (const types of ["none", "infer"] as const) {
      expect(csvToJsonText(data, { ...options, types }, indent)).toBe(
        writeJson(readCsv(data, { ...options, types }), indent),
      );
      expect(csvToJsonText("", options, indent)).toBe(writeJson(readCsv("", options), indent));
    }
  }
});

test("a fault in a raw body with a byte order mark has its place in the bytes", async () => {
  const refusal = await refusalOf(runRaw(toJson, Buffer.from("\ufeffa,b\n1\n")));
  expect(refusal).toMatchObject({ line: 2, column: 1, offset: 7 });
});

test("what ends otherwise than the lines is no empty line at the end", async () => {
  const refusal = await refusalOf(runTool(toJson, { data: "a,b\n1,2\n\n\r\r\n" }));
  expect(refusal).toMatchObject({ line: 3 });
});
