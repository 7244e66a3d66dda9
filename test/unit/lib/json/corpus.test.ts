import { describe, expect, it } from "vitest";
import { formatJson, formatJsonText, minifyJsonText } from "../../../../src/lib/json/format.ts";
import { DocumentFault } from "../../../../src/lib/fault.ts";
import { validateJson } from "../../../../src/lib/json/validate.ts";
import { atHand, casesOf, readCorpus, readCorpusFile, type Row } from "../../corpora/corpus.ts";

const names = ["json-test-suite", "json-checker"];
const rows: Row[] = atHand ? names.flatMap(readCorpus) : [];

describe("third-party suites", () => {
  it.skipIf(!atHand)(`every row is checked below (${casesOf(...names)})`, () => {
    const kinds = ["json", "error", "status4xx", "result", "either"];
    const checked = rows.filter((row) => kinds.some((kind) => kind in row.expect));
    expect(checked.length).toBe(rows.length);
  });

  it.each(byExpectation("json"))("accepts $case and keeps its value", ({ input, expect: { json } }) => {
    // As text, because -0 equals 0 in these suites.
    expect(minifyByParse(formatJsonText(input["data"] as string, { indent: 2 }))).toBe(JSON.stringify(json));
    expect(validateJson(bytesOf(input), { duplicateKeys: "allow" })).toEqual([]);
  });

  it.each(byExpectation("error"))("refuses $case", ({ input }) => {
    expect(() => formatJsonText(input["data"] as string, { indent: 2 })).toThrow(DocumentFault);
    expect(validateJson(bytesOf(input), { duplicateKeys: "allow" })).toHaveLength(1);
  });

  it.each(byExpectation("status4xx"))("refuses the bytes of $case", ({ input }) => {
    expect(() => formatJson(bytesOf(input), { indent: 2 })).toThrow(DocumentFault);
    expect(validateJson(bytesOf(input))).toHaveLength(1);
  });

  it.each(byExpectation("result"))("minifies $case", ({ input, expect: { result } }) => {
    expect(minifyJsonText(input["data"] as string)).toBe(result);
  });

  // Huge numbers, lone surrogates in escapes, 500 levels, a scalar as document: what RFC 8259 leaves to the
  // parser loses nothing as text, so all of it is accepted. Bytes that are not UTF-8 are above.
  it.each(byExpectation("either"))("accepts $case, which parsers may refuse", ({ case: name, input }) => {
    if (name === "i_structure_UTF-8_BOM_empty_object.json") {
      const refused = validateJson(bytesOf(input), { byteOrderMark: "refuse" });
      expect(refused).toMatchObject([{ rule: "byte-order-mark", offset: 0 }]);
    }
    expect(minifyJsonText(formatJsonText(input["data"] as string, { indent: 2 }))).toBe(
      minifyJsonText(input["data"] as string),
    );
    expect(validateJson(bytesOf(input), { duplicateKeys: "allow" })).toEqual([]);
  });
});

describe.skipIf(!atHand)("benchmark documents", () => {
  // canada.json has numbers of 17 digits, which JSON.parse shortens; what is lossless is its short form.
  const minify = (data: Buffer): Buffer => Buffer.from(minifyByParse(data.toString()));
  it.each([
    ["twitter", (data: Buffer) => data],
    ["citm_catalog", (data: Buffer) => data],
    ["github_events", (data: Buffer) => data],
    ["canada", minify],
    ["twitter", minify],
    ["citm_catalog", minify],
  ])("%s comes out as from JSON.stringify", (name, prepare) => {
    const data = prepare(readCorpusFile(`benchmark/${name}.json`));
    const value: unknown = JSON.parse(data.toString());
    for (const indent of [0, 1, 2, 10]) {
      const expected = Buffer.from(JSON.stringify(value, null, indent));
      // Not toEqual: the difference of two such documents takes minutes to print.
      expect(expected.equals(formatJson(data, { indent }))).toBe(true);
      expect(formatJsonText(data.toString(), { indent }) === expected.toString()).toBe(true);
    }
  });
});

function minifyByParse(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

function byExpectation(kind: string): Row[] {
  return rows.filter((row) => kind in row.expect && row.disputed_by === undefined);
}

function bytesOf(input: Row["input"]): Buffer {
  const base64 = input["bodyBase64"];
  return base64 === undefined
    ? Buffer.from(input["data"] as string)
    : Buffer.from(base64 as string, "base64");
}
