import { expect, test } from "vitest";
import toJson from "../../../../src/tools/data/xml-to-json.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

test.each([
  ["<a/>", {}, '{"a":""}'],
  ["<a> 007 </a>", {}, '{"a":" 007 "}'],
  ["<a>1.0</a>", { types: "infer" }, '{"a":1.0}'],
  [
    "<a><b>007</b><b>1e400</b><b>12345678901234567890</b><b>true</b><b/></a>",
    { types: "infer" },
    '{"a":{"b":["007","1e400","12345678901234567890",true,""]}}',
  ],
  ["<a x=' 1\n2 '/>", {}, '{"a":{"@x":" 1 2 "}}'],
  ["<a x='1'> </a>", {}, '{"a":{"@x":"1","#text":" "}}'],
  ["<a>\n  <b/>\n</a>", {}, '{"a":{"b":""}}'],
  ["<a xml:space='preserve'> <b/></a>", {}, '{"a":{"@xml:space":"preserve","#text":" ","b":""}}'],
  ["<a>one <b>two</b> three</a>", {}, '{"a":{"#text":["one "," three"],"b":"two"}}'],
  ["<a>x<!-- c -->y<?p?>z</a>", {}, '{"a":"xyz"}'],
  ["<a> <!-- c --> </a>", {}, '{"a":""}'],
  ["<a><![CDATA[ ]]></a>", {}, '{"a":" "}'],
  ["<a>\r\n&#13;</a>", {}, '{"a":"\\n\\r"}'],
  ["<a><b/><c/><b/></a>", {}, '{"a":{"b":["",""],"c":""}}'],
  ["<a><b/><c>1</c></a>", { arrays: "always" }, '{"a":{"b":[""],"c":["1"]}}'],
  ["<a b='1'><c/></a>", { attributes: "", text: "_" }, '{"a":{"b":"1","c":""}}'],
  [
    "<__proto__ constructor='1'><toString/></__proto__>",
    {},
    '{"__proto__":{"@constructor":"1","toString":""}}',
  ],
  ["<!DOCTYPE a [<!ENTITY e 'x'>]><a>&lt;</a>", {}, '{"a":"<"}'],
  ["\uFEFF<a>😀&#x1F600;</a>", {}, '{"a":"😀😀"}'],
])("%j with %j", async (data, options, result) => {
  expect(await read(data, options)).toBe(result);
});

test.each([
  ["<a>&b;</a>", {}, "not declared", 4],
  ["<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", {}, "not expanded", 34],
  ["<!DOCTYPE a [<!ENTITY e 'x'>]><a b='&e;'/>", {}, "not expanded", 37],
  ["<a b='1'><b/></a>", { attributes: "" }, "key of two values", 10],
  ["<a>x<b/></a>", { text: "b" }, "key of two values", 5],
  ["<a/><b/>", {}, "second", 5],
  ["<a>".repeat(600) + "</a>".repeat(600), {}, "nested", 1534],
])("%j with %j is refused: %s", async (data, options, words, column) => {
  const refusal = await refusalOf(read(data, options));
  expect(refusal).toMatchObject({ code: "invalid_document", column });
  expect(refusal.message).toContain(words);
});

test("reads bytes in the encoding that they declare", async () => {
  const bytes = Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "latin1");
  expect((await runRaw(toJson, bytes, { indent: "0" })).toString()).toBe('{"a":"é"}');
  expect((await refusalOf(runRaw(toJson, Buffer.from([0x3c, 0xe9, 0x2f, 0x3e])))).code).toBe(
    "invalid_document",
  );
});
