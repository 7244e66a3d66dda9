import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { defineTool } from "../../catalog/tool.ts";
import { type DataFormat, dataFormats, openReader, writeData } from "../../lib/data/convert.ts";
import { DocumentFault } from "../../lib/fault.ts";
import { convertDialect, isCommented } from "../format-json.ts";
import { refusingJson } from "../json-dialect.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "data-converter",
  title: "Data converter",
  version: "1.1.0",
  summary: "Convert data between JSON, JSON5, YAML, TOML, CSV, XML, ENV, INI, properties and NDJSON.",
  input: z.object({
    data: z.string().describe("The document"),
    from: z
      .enum(dataFormats)
      .describe("Format of the document; jsonc is JSON with comments and trailing commas"),
    to: z
      .enum(dataFormats)
      .describe(
        "Format of the result; values that it cannot represent are refused, comments are kept between jsonc and json5",
      ),
    indent: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe("Spaces per level, for formats with indentation; 0 writes JSON and XML on one line"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: 'v = 1.0\nsince = 1979-05-27\nid = "007"\n', from: "toml", to: "yaml" },
      result: 'v: 1.0\nsince: 1979-05-27\nid: "007"\n',
    },
    {
      title: "Records with a column named __proto__",
      input: { data: "__proto__,n\nx,1.50\n", from: "csv", to: "json", indent: 0 },
      result: '[{"__proto__":"x","n":"1.50"}]',
    },
    {
      title: "Nested values get dotted keys in a flat format",
      input: { data: "[server]\nport=8080\n; why\nname = a b\n", from: "ini", to: "properties" },
      result: "server.port=8080\nserver.name=a b\n",
    },
    {
      title: "Comments stay between the dialects of JSON",
      input: { data: "[ // why\n+1,]", from: "json5", to: "jsonc" },
      result: "[ // why\n  1\n]",
    },
  ],
  async run({ data, from, to, indent }) {
    if (isCommented(from) && isCommented(to)) return convertDialect(data, from, to, indent);
    const read = await openReader(from);
    const value = refusingIn(data, from, () => read(data));
    return refusingValue(data, from, () => writeData(to, value, indent));
  },
});

/** Like `refusing`; the refusal of a JSON document names the format that accepts it. */
const refusingIn = <T>(data: string, from: DataFormat, work: () => T): T =>
  from === "json" || isCommented(from)
    ? refusingJson(data, from, work, { remedy: "set from to" })
    : refusing(data, work);

/** Runs work on a document. Only in JSON can the value be located; for other formats the pointer is added to the message. */
function refusingValue(data: string, from: DataFormat, work: () => string): string {
  if (from === "json" || isCommented(from)) return refusingIn(data, from, work);
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { message, at } = error;
    const { pointer } = at;
    const errors = pointer === undefined ? [] : [{ message, pointer }];
    throw new ToolError("invalid_document", pointer ? `${message} (${pointer})` : message, { errors });
  }
}
