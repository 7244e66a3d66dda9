import type { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { openReader, separatorOf, writeData } from "../../lib/data/convert.ts";
import { checkOptions, converterInput, nest, prepare, refusingIn, refusingValue } from "../converter.ts";
import { convertDialect, isCommented } from "../format-json.ts";

export default defineTool({
  slug: "data-converter",
  title: "Data converter",
  version: "2.0.2",
  summary: "Convert data between JSON, JSON5, YAML, TOML, CSV, XML, ENV, INI, properties and NDJSON.",
  page: {
    tile: "JSON, YAML, TOML, CSV, XML, INI …",
    view: "code+tree",
    tab: "Result",
    options: ["from", "to", "indent"],
    start: { from: "json", to: "yaml" },
  },
  accepts: "JSON, YAML, TOML, CSV, XML, ENV, INI, properties or NDJSON",
  aliases:
    "convert between formats, yq -o, dasel, toml to yaml, yaml to toml, xml to yaml, yaml to xml, ini to json, json to ini, ini, properties to yaml, java properties, application.properties, csv to yaml, tsv, tsv to csv, csv to tsv, yaml to csv, csv to xml, env to yaml, format converter, file converter, json5 to json, jsonc to json, strip json comments, transform data, config file converter",
  input: converterInput,
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
      title: "Dotted keys become nested, and repeated ones lists",
      input: {
        data: "db.host=x\n[Unit]\nAfter=a\nAfter=b\n",
        from: "ini",
        to: "json",
        indent: 0,
        duplicateKeys: "list",
        unflatten: true,
      },
      result: '{"db":{"host":"x"},"Unit":{"After":["a","b"]}}',
    },
    {
      title: "Comments stay between the dialects of JSON",
      input: { data: "[ // why\n+1,]", from: "json5", to: "jsonc" },
      result: "[ // why\n  1\n]",
    },
  ],
  check: "warnings",
  report: async (input) => {
    await convert(input);
    return toReport([]);
  },
  run: convert,
});

async function convert({
  data,
  from,
  to,
  indent,
  unflatten,
  nulls,
  ...reading
}: z.output<typeof converterInput>): Promise<string> {
  checkOptions({ from, to, unflatten, nulls, ...reading });
  if (isCommented(from) && isCommented(to)) return convertDialect(data, from, to, indent);
  const read = await openReader(from, reading);
  const value = refusingIn(data, from, () => read(data));
  return refusingValue(data, from, () =>
    writeData(to, prepare(unflatten ? nest(value, separatorOf(from)) : value, nulls), indent),
  );
}
