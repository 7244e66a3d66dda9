import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import toJson from "../../../../src/tools/data/csv-to-json.ts";
import toCsv from "../../../../src/tools/data/json-to-csv.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

describe("json-to-csv", () => {
  const write = (data: unknown, options: Record<string, unknown> = {}): Promise<string> =>
    runTool(toCsv, { data: typeof data === "string" ? data : JSON.stringify(data), ...options });

  test.each([
    ["[]", {}, ""],
    ["{}", {}, ""],
    ['{"a":1}', {}, "a\n1"],
    ['[{"a":1},{"b":2}]', {}, "a,b\n1,\n,2"],
    ['[{"a":1},{"b":2}]', { columns: ["b", "c"], header: false }, ",\n2,"],
    [
      '[{"a":"x\\"y"},{"a":"\\""},{"a":","},{"a":"\\n"},{"a":"\\r"},{"a":" x"}]',
      {},
      'a\n"x""y"\n""""\n","\n"\n"\n"\r"\n" x"',
    ],
    ['[{"a":""},{"a":null},{}]', {}, 'a\n""\n""\n""'],
    ['[{"a":"","b":""},{}]', {}, "a,b\n,\n,"],
    ['[{"a":1,"b":2},{}]', { emptyRecords: "blank" }, "a,b\n1,2\n"],
    ['[{"a":1},{},{"a":""}]', { emptyRecords: "skip" }, 'a\n1\n""'],
    ['[{"a":1},{},{"a":" "}]', { emptyRecords: "skip-blank" }, "a\n1"],
    ['[{"a":{"b":{"c":1},"d":[]}},{"a":{}}]', {}, "a.b.c,a.d,a\n1,[],\n,,{}"],
    ['[{"a":{"b":[1,"x"]}}]', { flatten: false }, 'a\n"{""b"":[1,""x""]}"'],
    ['[["a",1.0],[true],[],[{"x":[1]}]]', {}, 'a,1.0\ntrue\n\n"{""x"":[1]}"'],
    ['[["1"]]', { columns: ["n"] }, "n\n1"],
    ['[{"a":1e400,"b":12345678901234567890,"c":-0}]', { header: false }, "1e400,12345678901234567890,-0"],
    [
      '[{"a":"=1","b":-1,"c":"-1","d":"x=","e":"\\t"}]',
      { escapeFormulas: true, header: false },
      '"\'=1",-1,"\'-1",x=,"\'\t"',
    ],
    ['[{"=a":"@"}]', { escapeFormulas: true }, '"\'=a"\n"\'@"'],
    ['[["=1"]]', {}, "=1"],
    ['[["a","b"]]', { quoteAll: true, bom: true, delimiter: "tab" }, '\uFEFF"a"\t"b"'],
    ['[["a\'b","c;d"]]', { quote: "'", delimiter: ";" }, "'a''b';'c;d'"],
    ['[["a"],["b"]]', { eol: "crlf" }, "a\r\nb"],
    ['[{"__proto__":1,"constructor":{"toString":2}}]', {}, "__proto__,constructor.toString\n1,2"],
    ['[{"":1,"a":{"":2}}]', {}, ",a.\n1,2"],
  ])("%j with %j", async (data, options, result) => {
    expect(await write(data, options)).toBe(result);
  });

  test.each([
    ["1", "", "object or an array"],
    ['[{"a":1},[2]]', "/1", "as the others are"],
    ['[{"a":1},2]', "/1", "object"],
    ['[{"a":{"b":1},"a.b":2}]', "/0/a.b", "Two members"],
    ['{"a":1,"a":2}', "/a", "Duplicate key"],
    ["[1", "", "too early"],
  ])("%j is refused at %j", async (data, pointer, words) => {
    const refusal = await refusalOf(write(data));
    expect(refusal.code).toBe("invalid_document");
    expect(refusal.message).toContain(words);
    if (pointer !== "") expect(refusal.pointer).toBe(pointer);
  });

  test("refuses to make a column for each record", async () => {
    const data = Array.from({ length: 6000 }, (_, index) => ({ [`k${index}`]: index }));
    expect((await refusalOf(write(data))).message).toContain("name fewer columns");
  });
});

describe("writes CSV that it reads back to the same value", () => {
  const field = fc.string({
    unit: fc.constantFrom("a", "é", ",", ";", '"', "'", "\n", "\r", " ", "\t", "=", "#", "\uFEFF"),
    maxLength: 5,
  });
  const layout = fc.record({
    delimiter: fc.constantFrom(",", ";", "tab", "::", "|"),
    quote: fc.constantFrom('"', "'"),
  });
  const lines = fc.constantFrom("lf", "crlf");

  test("objects", async () => {
    const rows = fc.uniqueArray(field, { minLength: 1, maxLength: 4 }).chain((columns) =>
      fc.array(
        fc
          .tuple(...columns.map(() => field))
          .map((values) => values.map((value, at) => [columns[at], value])),
        { minLength: 1, maxLength: 4 },
      ),
    );
    await fc.assert(
      fc.asyncProperty(rows, layout, lines, fc.boolean(), async (entries, dialect, eol, bom) => {
        const data = `[${entries.map((row) => `{${row.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`).join(",")}]`;
        const csv = await runTool(toCsv, { data, eol, bom, ...dialect });
        expect(await read(csv, dialect)).toBe(data);
      }),
      { numRuns: 500 },
    );
  });

  test("arrays", async () => {
    const rows = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, layout, lines, fc.boolean(), async (value, dialect, eol, quoteAll) => {
        const csv = await runTool(toCsv, { data: JSON.stringify(value), eol, quoteAll, ...dialect });
        expect(await read(csv, { ...dialect, header: false, ragged: "keep" })).toBe(JSON.stringify(value));
      }),
      { numRuns: 500 },
    );
  });
});
