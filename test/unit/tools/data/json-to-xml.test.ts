import * as fc from "fast-check";
import { expect, test } from "vitest";
import fromJson from "../../../../src/tools/data/json-to-xml.ts";
import toJson from "../../../../src/tools/data/xml-to-json.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const write = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(fromJson, { data, indent: 0, ...options });

const read = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toJson, { data, indent: 0, ...options });

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
