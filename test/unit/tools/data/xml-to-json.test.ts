import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import fromJson from "../../../../src/tools/data/json-to-xml.ts";
import toJson from "../../../../src/tools/data/xml-to-json.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });
const write = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(fromJson, { data, indent: 0, ...options });

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

describe("json-to-xml", () => {
  test.each([
    ['{"a":1}', {}, "<a>1</a>"],
    ['{"a":1,"b":2}', {}, "<root><a>1</a><b>2</b></root>"],
    ["[]", {}, "<root/>"],
    ["[[1,[2]],3]", {}, "<root><item><item>1</item><item><item>2</item></item></item><item>3</item></root>"],
    ['"x"', {}, "<root>x</root>"],
    ['{"a":[1,2]}', {}, "<root><a>1</a><a>2</a></root>"],
    ['{"@a":1}', {}, '<root a="1"/>'],
    ['{"a":{"@b":null,"#text":" <&>\\r"}}', {}, '<a b=""> &lt;&amp;&gt;&#13;</a>'],
    ['{"a":{"@b":"\\"\\t\\n\\r\'<"}}', {}, '<a b="&quot;&#9;&#10;&#13;\'&lt;"/>'],
    ['{"a":{"b":[],"c":{}}}', {}, "<a><c/></a>"],
    ['{"a":{"b":{"#text":"x","c":1}}}', { indent: 2 }, "<a>\n  <b>x<c>1</c></b>\n</a>"],
    [
      '{"a":12345678901234567890.10}',
      { declaration: true },
      '<?xml version="1.0" encoding="UTF-8"?><a>12345678901234567890.10</a>',
    ],
    ['{"__proto__":{"toString":true}}', {}, "<__proto__><toString>true</toString></__proto__>"],
    ['{"-a":{"-b":1}}', { attributes: "-", root: "r" }, ""],
  ])("%j with %j", async (data, options, result) => {
    if (result === "") expect((await refusalOf(write(data, options))).pointer).toBe("/-a");
    else expect(await write(data, options)).toBe(result);
  });

  test.each([
    ['{"a b":1}', "/a b"],
    ['{"a":{"1":1}}', "/a/1"],
    ['{"a":{"":1}}', "/a/"],
    ['{"a":[1,{"@":1}]}', "/a/1/@"],
    ['{"a":{"b":"\\u0000"}}', "/a/b"],
    ['{"a":{"b":"\\ud800"}}', "/a/b"],
    ['{"a":{"@b":[1]}}', "/a/@b"],
    ['{"a":{"#text":{"b":1}}}', "/a/#text"],
  ])("%j is refused at %s", async (data, pointer) => {
    expect(await refusalOf(write(data))).toMatchObject({
      code: "invalid_document",
      pointer: expect.stringContaining(pointer) as string,
    });
  });

  test("writes XML that it reads back to the same value", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " ", "<", "&", "]]>", "\n", "\r", "\t", '"', "'", "é", "😀"),
      maxLength: 6,
    });
    const key = fc.constantFrom("a", "b", "x.y", "é", "__proto__");
    const { element } = fc.letrec<{ element: unknown; value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        text,
        tie("element"),
        fc.array(fc.oneof(text, tie("element")), { minLength: 2, maxLength: 3 }),
      ),
      element: fc
        .tuple(
          fc.dictionary(
            key.map((name) => `@${name}`),
            text,
            { maxKeys: 2 },
          ),
          fc.dictionary(key, tie("value"), { minKeys: 1, maxKeys: 3 }),
        )
        .map(([attributes, children]) => ({ ...attributes, ...children })),
    }));
    await fc.assert(
      fc.asyncProperty(element, fc.constantFrom(0, 2), async (value, indent) => {
        const data = JSON.stringify({ root: value });
        expect(await read(await write(data, { indent }))).toBe(data);
      }),
      { numRuns: 300 },
    );
  });
});

describe("json-to-xml", () => {
  test("adds no space in an element that preserves it", async () => {
    const data = '{"r":{"p":{"@xml:space":"preserve","i":["x","y"]},"q":{"i":"z"}}}';
    expect(await write(data, { indent: 2 })).toBe(
      '<r>\n  <p xml:space="preserve"><i>x</i><i>y</i></p>\n  <q>\n    <i>z</i>\n  </q>\n</r>',
    );
  });

  test("refuses a key that is no name, or replaces what a name may not have", async () => {
    const data = '{"r":{"2nd key":1,"a/b":{"@x y":2},"":3,"é":4}}';
    expect((await refusalOf(write(data))).message).toContain("set names to replace");
    expect(await write(data, { names: "replace" })).toBe(
      '<r><_2nd_key>1</_2nd_key><a_b x_y="2"/><_>3</_><é>4</é></r>',
    );
  });
});
