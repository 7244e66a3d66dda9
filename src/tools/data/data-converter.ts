import { DocumentFault } from "../../lib/fault.ts";
import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { defineTool } from "../../catalog/tool.ts";
import { type DataFormat, dataFormats, openReader, writeData } from "../../lib/data/convert.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "data-converter",
  title: "Data converter",
  summary: "Convert data between JSON, YAML, TOML, CSV, XML, ENV, INI, properties and NDJSON.",
  input: z.object({
    data: z.string().describe("The document"),
    from: z.enum(dataFormats).describe("The format of the document; jsonc is JSON with comments"),
    to: z.enum(dataFormats).describe("The format of the result; what it cannot say is refused"),
    indent: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe("Spaces of indentation where the format has any; 0 puts JSON and XML on one line"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: 'v = 1.0\nsince = 1979-05-27\nid = "007"\n', from: "toml", to: "yaml" },
      result: 'v: 1.0\nsince: 1979-05-27\nid: "007"\n',
    },
    {
      title: "Records with a column that is named like a part of the language",
      input: { data: "__proto__,n\nx,1.50\n", from: "csv", to: "json", indent: 0 },
      result: '[{"__proto__":"x","n":"1.50"}]',
    },
    {
      title: "What lies deeper gets keys with dots where a format knows no levels",
      input: { data: "[server]\nport=8080\n; why\nname = a b\n", from: "ini", to: "properties" },
      result: "server.port=8080\nserver.name=a b\n",
    },
  ],
  async run({ data, from, to, indent }) {
    const read = await openReader(from);
    const value = refusing(data, () => read(data));
    return refusingValue(data, from, () => writeData(to, value, indent));
  },
});

/** Only JSON can be searched for the place of a value; of all else, the pointer has to do. */
function refusingValue(data: string, from: DataFormat, work: () => string): string {
  if (from === "json") return refusing(data, work);
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
