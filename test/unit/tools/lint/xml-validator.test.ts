import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/lint/xml-validator.ts";
import { runRaw, runTool } from "../run-tool.ts";

const validate = async (data: string, namespaces = false): Promise<Report> =>
  JSON.parse(await runTool(validator, { data, namespaces })) as Report;

describe("well-formed", () => {
  test.each([
    "<a/>",
    "\uFEFF<a/>",
    '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>\n<!-- c --><?p x?><a/>\n<!-- d -->',
    "<?xml version='1.1'?><a/>",
    "<a>&lt;&#x1F600;&#65;&amp;</a>",
    "<a>]] ></a>",
    "<a>]]&gt;</a>",
    "<a><![CDATA[<&]] >]]></a>",
    '<a b = \'"\' c\n=">"></a >',
    "<é:x.1-2·/>",
    "<𐀀/>",
    "<x:a/>",
    '<!DOCTYPE a SYSTEM "a.dtd"><a>&unknown;</a>',
    '<!DOCTYPE a [<!ENTITY e "<b>&f;</b>"><!ENTITY f "x"><!ELEMENT a (#PCDATA|b)*><!ATTLIST a x CDATA "1&lt;">]><a>&e;</a>',
    '<!DOCTYPE a [<!ELEMENT a (b?,(c|d)+,e*)><!NOTATION n PUBLIC "p"><!ENTITY u SYSTEM "u" NDATA n>]><a/>',
    "<!DOCTYPE a [<!ENTITY % p \"<!ENTITY e 'x'>\">%p;]><a>&e;</a>",
  ])("%j", async (data) => {
    expect(await validate(data)).toEqual({ valid: true, errors: [] });
  });
});

describe("not well-formed", () => {
  test.each([
    ["", "truncated", 1, 1],
    [" \n", "truncated", 2, 1],
    ["a", "syntax", 1, 1],
    ["<a/>b", "syntax", 1, 5],
    ["<a/><b/>", "syntax", 1, 5],
    ["<a>\n<b></a></b>", "tags", 2, 4],
    ["</a>", "tags", 1, 1],
    ["<a>é", "truncated", 1, 1],
    ["<a>]]></a>", "syntax", 1, 4],
    ["<a b=1/>", "syntax", 1, 6],
    ["<a b='<'/>", "syntax", 1, 7],
    ["<a b='1'c='2'/>", "syntax", 1, 9],
    ["<a b='1' b='2'/>", "duplicate-attribute", 1, 10],
    ["<a>é&</a>", "reference", 1, 5],
    ["<a>&b</a>", "reference", 1, 4],
    ["<a>&b;</a>", "entity", 1, 4],
    ["<a>&#0;</a>", "reference", 1, 4],
    ["<a>&#xFFFF;</a>", "reference", 1, 4],
    ["<a>&#99999999999999999999;</a>", "reference", 1, 4],
    ["<a>\u0001</a>", "character", 1, 4],
    ["<a>\uFFFE</a>", "character", 1, 4],
    ["<a><!-- a -- b --></a>", "syntax", 1, 11],
    ["<a><!----->", "syntax", 1, 8],
    ["<1/>", "syntax", 1, 1],
    ["< a/>", "syntax", 1, 1],
    [" <?xml version='1.0'?><a/>", "declaration", 1, 2],
    ["<?xml version='2.0'?><a/>", "declaration", 1, 1],
    ["<?xml encoding='UTF-8' version='1.0'?><a/>", "declaration", 1, 1],
    ["<?XmL x?><a/>", "declaration", 1, 1],
    ["<a><!DOCTYPE a></a>", "syntax", 1, 4],
    ["<!DOCTYPE a><!DOCTYPE a><a/>", "syntax", 1, 13],
    ["<!DOCTYPE a [<!ELEMENT a (b,c|d)>]><a/>", "syntax", 1, 30],
    ["<!DOCTYPE a [<!ATTLIST a b CDATA '&e;'>]><a/>", "entity", 1, 35],
    ["<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a>&e;</a>", "entity", 1, 53],
    ["<!DOCTYPE a [<!ENTITY e '</a><a>'>]><a>&e;</a>", "entity", 1, 40],
    ["<!DOCTYPE a [<!ENTITY e '&#60;'>]><a b='&e;'/>", "entity", 1, 41],
    ["<!DOCTYPE a [<!ENTITY e SYSTEM 'x'>]><a b='&e;'/>", "entity", 1, 44],
    ["<!DOCTYPE a [<!ENTITY e '%p;'>]><a/>", "entity", 1, 26],
  ])("%j: %s", async (data, rule, line, column) => {
    expect((await validate(data)).errors[0]).toMatchObject({ rule, severity: "error", line, column });
  });
});

test.each([
  ["<x:a xmlns:x='u' x:b='' xml:lang='en'/>", []],
  ["<x:a xmlns:x='u'/><!-- -->", []],
  ["<a xmlns:x='u'/>", []],
  ["<x:a/>", [2]],
  ["<a><b xmlns:x='u'/><x:c/></a>", [21]],
  ["<a:b:c xmlns:a='u'/>", [2]],
  ["<a xmlns:x='u' xmlns:y='&#117;' x:b='' y:b=''/>", [40]],
  ["<a xmlns:xml='u'/>", [4]],
  ["<a xmlns:x='http://www.w3.org/XML/1998/namespace'/>", [4]],
  ["<a xmlns='http://www.w3.org/2000/xmlns/'/>", [4]],
  ["<a xmlns:x=''/>", [4]],
  ["<?a:b?><a/>", [1]],
  // Production 2: a prefix follows the colon.
  ["<foo xmlns:='urn:x'/>", [6]],
  // Productions 16 to 21, and §7 of Namespaces in XML 1.0.
  ["<!DOCTYPE a:b [<!ELEMENT a:b EMPTY><!ATTLIST a:b c:d CDATA ''>]><a xmlns:c='u'/>", []],
  ["<!DOCTYPE a:b:c []><a/>", [11]],
  ["<!DOCTYPE a [<!ELEMENT :b EMPTY><!ATTLIST a b: CDATA ''>]><a/>", [24, 45]],
  ["<!DOCTYPE a [<!ENTITY b:c 'x'><!NOTATION d:e SYSTEM 'y'><?f:g?>]><a/>", [23, 42, 57]],
  ["<!DOCTYPE a [<!ENTITY % p '<!ENTITY b:c \"x\">'>%p;]><a/>", [47]],
])("namespaces: %j", async (data, columns) => {
  const { errors } = await validate(data, true);
  expect(errors.map(({ column }) => column)).toEqual(columns);
  if (columns.length > 0) expect(errors[0]?.rule).toBe("namespace");
});

test("every duplicate attribute is reported, and so are later errors", async () => {
  const { errors } = await validate("<a x='' x=''><b y='' y=''/>");
  expect(errors.map(({ rule, offset }) => [rule, offset])).toEqual([
    ["truncated", 0],
    ["duplicate-attribute", 8],
    ["duplicate-attribute", 21],
  ]);
});

describe("bytes are decoded in their declared encoding", () => {
  const report = async (bytes: Uint8Array): Promise<Report> =>
    JSON.parse((await runRaw(validator, bytes)).toString()) as Report;
  const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

  test.each([
    [utf16("<é/>"), true],
    [utf16("<?xml version='1.0' encoding='UTF-16'?><é/>").swap16(), true],
    [Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><\xe9/>", "latin1"), true],
    [Buffer.from("<é/>"), true],
    [Buffer.from("<\xe9/>", "latin1"), false],
    [utf16("<?xml version='1.0' encoding='UTF-8'?><a/>"), false],
    [Buffer.from("<?xml version='1.0' encoding='UTF-16'?><a/>"), false],
    [Buffer.from("<?xml version='1.0' encoding='klingon'?><a/>"), false],
  ])("%#", async (bytes, valid) => {
    expect((await report(bytes)).valid).toBe(valid);
  });
});

describe("hostile", () => {
  test("a billion laughs is checked without expansion", async () => {
    const laughs = Array.from(
      { length: 60 },
      (_, at) => `<!ENTITY e${at} "${at ? `&e${at - 1};`.repeat(10) : "ha"}">`,
    );
    const data = `<!DOCTYPE a [${laughs.join("")}]><a>${"&e59;".repeat(1000)}</a>`;
    expect((await validate(data)).valid).toBe(true);
  });

  test.each([
    ["open tags", "<a>".repeat(200_000)],
    ["nested models", `<!DOCTYPE a [<!ELEMENT a ${"(".repeat(200_000)}`],
    ["attributes", `<a ${Array.from({ length: 20_000 }, (_, at) => `b${at}=''`).join(" ")}/>`],
    ["duplicates", `<a ${"b='' ".repeat(20_000)}/>`],
    ["references", `<a>${"&b;".repeat(50_000)}</a>`],
    ["quotes", `<a ${"b='".repeat(100_000)}`],
    [
      "a chain of entities",
      `<!DOCTYPE a [${Array.from({ length: 5000 }, (_, at) => `<!ENTITY e${at} "&e${at + 1};">`).join("")}]><a>&e0;</a>`,
    ],
  ])("%s", async (_, data) => {
    const { errors } = await validate(data);
    expect(errors.length).toBeLessThanOrEqual(100);
  });
});
