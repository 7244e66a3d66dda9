import type { Report } from "../../../../src/catalog/report.ts";
import validator from "../../../../src/tools/lint/xml-validator.ts";
import { runTool } from "../run-tool.ts";

export const xsd = (content: string): string =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n${content}\n</xs:schema>`;
export const relaxng = (content: string): string =>
  `<element name="a" xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">\n${content}\n</element>`;

export const validate = async (data: string, schema: string): Promise<Report> =>
  JSON.parse(await runTool(validator, { data, schema })) as Report;
