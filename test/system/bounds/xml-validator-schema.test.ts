import { describe, expect, test } from "vitest";
import validator from "../../../src/tools/lint/xml-validator.ts";
import { relaxng, validate, xsd } from "../../unit/tools/lint/xml-schemas.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

describe("a schema at fault is refused with its place", () => {
  test("a pattern that is too complex for libxml2", async () => {
    const pattern = "((a{1,1000}){1,1000}){1,1000}b";
    const schema = xsd(
      `<xs:element name="a"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="${pattern}"/></xs:restriction></xs:simpleType></xs:element>`,
    );
    const found = await refusalOf(runTool(validator, { data: `<a>${"a".repeat(5000)}</a>`, schema }));
    expect(found).toMatchObject({ code: "invalid_input", pointer: "/schema" });
    expect(found.message).toContain("too complex");
  });

  test("a chain of references that needs more stack than there is", async () => {
    const chain = Array.from(
      { length: 20_000 },
      (_, at) => `<define name="d${at}"><ref name="d${at + 1}"/></define>`,
    );
    const schema = `<grammar xmlns="http://relaxng.org/ns/structure/1.0"><start><ref name="d0"/></start>${chain.join("")}<define name="d20000"><empty/></define></grammar>`;
    const found = await refusalOf(runTool(validator, { data: "<a/>", schema }));
    expect(found).toMatchObject({ code: "invalid_input", pointer: "/schema" });
    expect(found.message).toContain("more stack or memory");
    expect((await validate("<a/>", relaxng("<empty/>"))).valid).toBe(true);
  });
});
