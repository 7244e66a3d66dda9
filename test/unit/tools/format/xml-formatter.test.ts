import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import formatter from "../../../../src/tools/format/xml-formatter.ts";
import toJson from "../../../../src/tools/data/xml-to-json.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";
import { xmlDocument } from "../../lib/xml/arbitrary.ts";

const format = (data: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(formatter, { data, ...options });

test.each([
  ["<a/>", {}, "<a/>"],
  ["<a />", {}, "<a />"],
  ["<a></a>", {}, "<a></a>"],
  ["<a> </a>", {}, "<a> </a>"],
  ["<a>\n\n<b/>\n\n</a>\n", {}, "<a>\n  <b/>\n</a>"],
  ["<a><b/>text</a>", {}, "<a><b/>text</a>"],
  ["<a><b/>&#32;</a>", {}, "<a><b/>&#32;</a>"],
  ["<a><b/><![CDATA[ ]]></a>", {}, "<a><b/><![CDATA[ ]]></a>"],
  ["<a><p>x<b> <c/> </b></p><d/></a>", {}, "<a>\n  <p>x<b> <c/> </b></p>\n  <d/>\n</a>"],
  ["<a b=\"1\"\n   c='&quot;&#10;' ></a >", {}, "<a b=\"1\" c='&quot;&#10;'></a>"],
  [
    "<a xml:space='preserve'> <b/> <c xml:space='default'> <d/> </c></a>",
    {},
    "<a xml:space='preserve'> <b/> <c xml:space='default'>\n    <d/>\n  </c></a>",
  ],
  [
    "<?xml version='1.0'?><!DOCTYPE a [\n <!ENTITY e 'x'>\n]><!-- c\n d --><a>&e;</a><?p?>",
    {},
    "<?xml version='1.0'?>\n<!DOCTYPE a [\n <!ENTITY e 'x'>\n]>\n<!-- c\n d -->\n<a>&e;</a>\n<?p?>",
  ],
  ["<a/> <b/>", {}, "<a/>\n<b/>"],
  ["one <a> <b/> </a> two", {}, "one <a> <b/> </a> two"],
  ["<p>&nbsp;</p>", {}, "<p>&nbsp;</p>"],
  ["<a>\r\n<b/></a>", {}, "<a>\r\n  <b/>\r\n</a>"],
  ["<a>\n  <b>\n    <c/>\n  </b>\n</a>", { indent: 0 }, "<a><b><c/></b></a>"],
  [
    "<a><b c='1' d='2'/></a>",
    { attributesPerLine: true, indent: 4 },
    "<a>\n    <b\n        c='1'\n        d='2'/>\n</a>",
  ],
  [
    "<a><b c='1' d='2'><e/></b></a>",
    { useTabs: true, indent: 4, attributesPerLine: true },
    "<a>\n\t<b\n\t\tc='1'\n\t\td='2'>\n\t\t<e/>\n\t</b>\n</a>",
  ],
  ["<a><b/></a>", { useTabs: true, indent: 0 }, "<a><b/></a>"],
  ["<a><b c='1' d='2'/></a>", { width: 18 }, "<a>\n  <b c='1' d='2'/>\n</a>"],
  ["<a><b c='1' d='2' /></a>", { width: 18 }, "<a>\n  <b\n    c='1'\n    d='2' />\n</a>"],
  [
    "<a><b c='1' d='2'/></a>",
    { width: 19, useTabs: true, indent: 4 },
    "<a>\n\t<b\n\t\tc='1'\n\t\td='2'/>\n</a>",
  ],
  ["<a>x<b c='1' d='2'/></a>", { width: 5 }, "<a>x<b c='1' d='2'/></a>"],
  [
    "<a>\n <b> x\n y </b>  <c> <d/> z </c></a>",
    { whitespace: "collapse" },
    "<a>\n  <b>x y</b>\n  <c><d/> z</c>\n</a>",
  ],
  ["<a>\n <b\n c='1'/> </a>", { whitespace: "preserve" }, "<a>\n <b c='1'/> </a>"],
  [
    "<__proto__><constructor toString='1'/></__proto__>",
    {},
    "<__proto__>\n  <constructor toString='1'/>\n</__proto__>",
  ],
])("%j with %j", async (data, options, result) => {
  expect(await format(data, options)).toBe(result);
});

test.each([
  ["", {}],
  [" ", {}],
  ["text", {}],
  ["<!-- c -->", {}],
  ["<a>", {}],
  ["<a><b></a></b>", {}],
  ["<a>]]></a>", {}],
  ["<a/><b/>", { fragment: false }],
  ["<a>&nbsp;</a>", { fragment: false }],
])("%j with %j is refused", async (data, options) => {
  expect(await refusalOf(format(data, options))).toMatchObject({ code: "invalid_document", line: 1 });
});

test("bounds the indentation, however deep the document", async () => {
  const data = "<a>".repeat(30_000) + "</a>".repeat(30_000);
  expect((await refusalOf(format(data, { indent: 10 }))).message).toContain("larger");
  expect((await format(data, { indent: 0 })).length).toBe(data.length);
});

describe("properties", () => {
  const options = fc.record({
    useTabs: fc.boolean(),
    width: fc.constantFrom(0, 12, 40),
    indent: fc.constantFrom(0, 1, 2),
    attributesPerLine: fc.boolean(),
    whitespace: fc.constantFrom("preserve-mixed", "preserve", "collapse"),
  });

  test("changes nothing in its own output", async () => {
    await fc.assert(
      fc.asyncProperty(xmlDocument, options, async (data, layout) => {
        const once = await format(data, layout);
        expect(await format(once, layout)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  test("keeps the data of the document", async () => {
    await fc.assert(
      fc.asyncProperty(xmlDocument, options, async (data, layout) => {
        fc.pre(layout.whitespace !== "collapse");
        expect(await runTool(toJson, { data: await format(data, layout) })).toBe(
          await runTool(toJson, { data }),
        );
      }),
      { numRuns: 300 },
    );
  });
});

test("reads bytes in their declared encoding, and declares its output as UTF-8", async () => {
  const utf16 = Buffer.from("\uFEFF<?xml version='1.0' encoding='UTF-16'?><a><b>é</b></a>", "utf16le");
  expect((await runRaw(formatter, utf16)).toString()).toBe(
    "<?xml version='1.0' encoding='UTF-8'?>\n<a>\n  <b>é</b>\n</a>",
  );
  const utf8 = Buffer.from('<?xml version="1.0" encoding="utf-8"?><a>é</a>');
  expect((await runRaw(formatter, utf8)).toString()).toBe('<?xml version="1.0" encoding="utf-8"?>\n<a>é</a>');
  const lie = Buffer.from('<?xml version="1.0" encoding="UTF-16"?><a/>');
  expect((await refusalOf(runRaw(formatter, lie))).code).toBe("invalid_document");
});

// XML 1.0 §4.3.3, production 81: a name of an encoding begins with a letter.
test.each(["_UTF-8", "8-UTF", ".x", "-", "", "UTF 8", "UTF-8;"])(
  "refuses the encoding %j, as text and as bytes, and does not repair it",
  async (encoding) => {
    const data = `<?xml version="1.0" encoding="${encoding}"?><a/>`;
    for (const tool of [formatter, toJson]) {
      for (const work of [runTool(tool, { data }), runRaw(tool, Buffer.from(data))])
        expect(await refusalOf(work)).toMatchObject({ code: "invalid_document", line: 1, column: 1 });
    }
    const utf16 = Buffer.from(`\uFEFF${data}`, "utf16le");
    expect((await refusalOf(runRaw(formatter, utf16))).code).toBe("invalid_document");
  },
);
