import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/lint/xml-validator.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";
import { relaxng, validate, xsd } from "./xml-schemas.ts";

const order = xsd(`<xs:element name="order">
  <xs:complexType>
    <xs:sequence>
      <xs:element name="item" maxOccurs="3">
        <xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="[A-Z]{2}\\d+"/></xs:restriction></xs:simpleType>
      </xs:element>
      <xs:element name="price" type="xs:decimal" minOccurs="0"/>
    </xs:sequence>
    <xs:attribute name="id" type="xs:positiveInteger" use="required"/>
    <xs:attribute name="state">
      <xs:simpleType><xs:restriction base="xs:token"><xs:enumeration value="open"/><xs:enumeration value="paid"/></xs:restriction></xs:simpleType>
    </xs:attribute>
  </xs:complexType>
  <xs:key name="item"><xs:selector xpath="item"/><xs:field xpath="."/></xs:key>
</xs:element>`);

const note = relaxng(`<attribute name="id"><data type="positiveInteger"/></attribute>
<optional><attribute name="state"><choice><value>open</value><value>paid</value></choice></attribute></optional>
<oneOrMore><element name="b"><data type="date"/></element></oneOrMore>
<interleave><element name="c"><empty/></element><optional><element name="d"><text/></element></optional></interleave>`);

describe("valid", () => {
  test.each([
    ['<order id="1" state="open"><item>AB1</item><item>CD2</item><price>1.50</price></order>', order],
    ['<?xml version="1.0" encoding="UTF-16"?><order id="1"><item>AB1</item></order>', order],
    ['<a id="1"><b>2026-01-02</b><d>x</d><c/></a>', note],
    ["<a>ä😀</a>", xsd('<xs:element name="a" type="xs:string"/>')],
    ['<x:a xmlns:x="urn:x"/>', xsd('<xs:element name="a"/>').replace(">", ' targetNamespace="urn:x">')],
    ["<a/>", `\uFEFF<?xml version="1.0" encoding="UTF-16"?>${relaxng("<empty/>")}`],
    // Nothing is read, also no device of the file system of the library.
    [
      '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="/dev/urandom"/>',
      xsd('<xs:element name="a"/>'),
    ],
  ])("%s", async (data, schema) => {
    expect(await validate(data, schema)).toEqual({ valid: true, errors: [] });
  });
});

describe("the attributes of the prefix xml", () => {
  const importing = (location: string): string =>
    xsd(`<xs:import namespace="http://www.w3.org/XML/1998/namespace"${location}/>
<xs:element name="a"><xs:complexType><xs:simpleContent><xs:extension base="xs:string">
<xs:attribute ref="xml:lang" use="required"/><xs:attribute ref="xml:space"/><xs:attribute ref="xml:base"/>
</xs:extension></xs:simpleContent></xs:complexType></xs:element>`);

  test.each([
    "",
    ' schemaLocation="http://www.w3.org/2001/xml.xsd"',
    " schemaLocation='xml.xsd' id=\"i\"",
    ' schemaLocation="file:///etc/passwd"',
    ' id="é"',
  ])("are known to an import with%s", async (location) => {
    const schema = importing(location);
    const valid = '<a xml:lang="de-CH" xml:space="preserve" xml:base="b/">é</a>';
    expect(await validate(valid, schema)).toEqual({ valid: true, errors: [] });
    expect((await validate('<a xml:lang=""/>', schema)).valid).toBe(true);
    const { errors } = await validate('<a\n xml:lang="not a language" xml:space="x"/>', schema);
    expect(errors.map(({ rule, line }) => [rule, line])).toContainEqual(["cvc-datatype-valid-1-2-3", 2]);
    expect(errors.map(({ rule }) => rule)).toContain("cvc-enumeration-valid");
    expect((await validate("<a/>", schema)).errors[0]?.rule).toBe("cvc-complex-type-4");
  });

  test("are known as the group specialAttrs, and to two imports", async () => {
    const once = '<xs:import namespace="http://www.w3.org/XML/1998/namespace"/>';
    const schema = xsd(
      `${once}${once}<xs:element name="a"><xs:complexType><xs:attributeGroup ref="xml:specialAttrs"/></xs:complexType></xs:element>`,
    );
    expect((await validate('<a xml:id="x" xml:lang="en"/>', schema)).valid).toBe(true);
    expect((await validate('<a xml:id="1"/>', schema)).valid).toBe(false);
  });

  test("leave the places of faults in the schema as they are", async () => {
    const schema = importing("").replace('ref="xml:space"', 'ref="xml:spaces"');
    const found = await refusalOf(runTool(validator, { data: "<a/>", schema }));
    expect(found).toMatchObject({ code: "invalid_document", field: "schema", line: 4, column: 46 });
  });

  test("are all that a document can have loaded", async () => {
    const data =
      '<a xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="http://www.w3.org/XML/1998/namespace penknife:xml.xsd" xml:lang="en"/>';
    const { errors } = await validate(data, xsd('<xs:element name="a"><xs:complexType/></xs:element>'));
    expect(errors.map(({ rule }) => rule)).toEqual(["cvc-complex-type-3-2-1"]);
  });
});

describe("each violation has a rule and its place", () => {
  test.each([
    ["<other/>", order, "cvc-elt-1", 1, 1],
    ["<order>\n  <item>AB1</item>\n</order>", order, "cvc-complex-type-4", 1, 1],
    ['<order id="0"><item>AB1</item></order>', order, "cvc-datatype-valid-1-2-1", 1, 8],
    ['<order id="1" x="2"><item>AB1</item></order>', order, "cvc-complex-type-3-2-1", 1, 15],
    ['<order id="1" state="lost"><item>AB1</item></order>', order, "cvc-enumeration-valid", 1, 15],
    ['<order id="1">\n  <!-- é😀 --><item\n>AB</item></order>', order, "cvc-pattern-valid", 2, 14],
    ['<order id="1"><item>AB1</item>\n<item>AB1</item></order>', order, "cvc-identity-constraint", 2, 1],
    ['<order id="1"><price>1</price></order>', order, "element-content", 1, 15],
    ['<order id="1"><item>AB1</item>\n <price>x</price></order>', order, "cvc-datatype-valid-1-2-1", 2, 2],
    ['<a id="1"><b>2026-01-02</b><e/></a>', note, "element-name", 1, 28],
    ['<a id="1"><b>2026-01-02</b><c/>\n <c/></a>', note, "content-invalid", 2, 2],
    ["<a><b>2026-01-02</b><c/></a>", note, "attribute-invalid", 1, 4],
    ['<a id="1" x="2"><b>2026-01-02</b><c/></a>', note, "attribute-not-allowed", 1, 11],
    ['<a id="1"><b>2026-02-30</b><c/></a>', note, "datatype", 1, 11],
  ])("%s", async (data, schema, rule, line, column) => {
    const { valid, errors } = await validate(data, schema);
    expect(valid).toBe(false);
    expect(errors).toContainEqual(expect.objectContaining({ rule, line, column, severity: "error" }));
  });
});

test("violations are in the order of the document, and at most a hundred", async () => {
  const data = `<a>${"<b>x</b>\n".repeat(300)}</a>`;
  const { errors } = await validate(
    data,
    xsd(
      '<xs:element name="a"><xs:complexType><xs:sequence><xs:element name="b" type="xs:int" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>',
    ),
  );
  expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
});

describe("a document that is not validated says why", () => {
  const any = xsd('<xs:element name="a"/>');
  test.each([
    ["<a>", "truncated", 1],
    ["<x:a/>", "namespace", 2],
    ["<a/>\n<b/>", "syntax", 1],
    ["<!DOCTYPE a><a/>", "doctype", 1],
    ['<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "doctype", 1],
    ['<a xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="/etc/passwd"/></a>', "include", 46],
    ["<a>".repeat(251) + "</a>".repeat(251), "too-deep", 751],
  ])("%.60s", async (data, rule, column) => {
    expect((await validate(data, any)).errors).toEqual([expect.objectContaining({ rule, column })]);
  });

  test("250 levels are validated, recursively too", async () => {
    const schema = `<grammar xmlns="http://relaxng.org/ns/structure/1.0"><start><ref name="a"/></start><define name="a"><element name="a"><optional><ref name="a"/></optional></element></define></grammar>`;
    const nest = (inner: string): string => "<a>".repeat(249) + inner + "</a>".repeat(249);
    expect((await validate(nest("<a/>"), schema)).valid).toBe(true);
    expect((await validate(nest("<b/>"), schema)).errors[0]).toMatchObject({ column: 748 });
  });
});

describe("a schema at fault is refused with its place", () => {
  test.each([
    ["", "no root element", 1, 1],
    ["element a { empty }", "not XML", 1, 1],
    ["<a/>", "is the root of neither", 1, 1],
    ["<xs:schema/>", "not declared", 1, 2],
    [xsd("<xs:element"), "", 3, 1],
    [xsd('<xs:element name="a" type="b"/>'), "does not resolve", 2, 1],
    [xsd('\n  <xs:element name="a" nam="b"/>'), "not allowed", 3, 3],
    [xsd('<xs:include schemaLocation="file:///etc/passwd"/>'), "<xs:include> refers", 2, 1],
    [xsd('<xs:import namespace="urn:b" schemaLocation="http://127.0.0.1/"/>'), "<xs:import> refers", 2, 1],
    [xsd('<xs:redefine schemaLocation="b.xsd"/>'), "<xs:redefine> refers", 2, 1],
    [xsd('<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="b"/>'), "<i:include> includes", 2, 1],
    [`<!DOCTYPE a>\n${xsd("")}`, "DOCTYPE", 1, 1],
    [relaxng('<externalRef href="b.rng"/>'), "<externalRef> refers", 2, 1],
    [relaxng('<grammar><include href="b.rng"/></grammar>'), "<include> refers", 2, 10],
    [relaxng('\n  <ref name="b"/>'), "b", 3, 3],
    [relaxng('<data type="none"/>'), "none", 2, 1],
    [relaxng(`${"<group>".repeat(250)}<empty/>${"</group>".repeat(250)}`), "250 levels", 2, 1744],
  ])("%.90s", async (schema, message, line, column) => {
    const found = await refusalOf(runTool(validator, { data: "<a/>", schema }));
    expect(found).toMatchObject({ code: "invalid_document", field: "schema", line, column });
    expect(found.message).toContain(message);
  });
});

test("bytes are decoded before they are validated", async () => {
  const bytes = Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "latin1");
  const schema = xsd(
    '<xs:element name="a"><xs:simpleType><xs:restriction base="xs:string"><xs:length value="1"/></xs:restriction></xs:simpleType></xs:element>',
  );
  const report = JSON.parse((await runRaw(validator, bytes, { schema })).toString()) as Report;
  expect(report).toEqual({ valid: true, errors: [] });
});
