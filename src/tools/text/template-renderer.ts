import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { isDictionary } from "../../lib/data/value.ts";
import { substitute } from "../../lib/template/envsubst.ts";
import { parseMustache } from "../../lib/template/mustache.ts";
import { render } from "../../lib/template/render.ts";
import { readValue } from "../json-value.ts";
import { refuse, refusing } from "../refusing.ts";
import { templateFields, toEscape } from "../template-fields.ts";

export default defineTool({
  slug: "template-renderer",
  title: "Template renderer",
  version: "1.1.0",
  summary: "Render a Mustache or envsubst template with values; templates cannot run code.",
  page: {
    tile: "Mustache or envsubst",
    layout: "compare",
    view: "text",
    options: ["syntax", "missing"],
    second: "variables",
    labels: {
      data: "Template",
      variables: "Values",
      "syntax=mustache": "Mustache",
      "syntax=envsubst": "envsubst",
      missing: "Missing values",
    },
  },
  accepts: "a template",
  aliases:
    "envsubst, mustache, template, render template, replace variables, substitute variables, placeholder, fill in template, nginx template, string interpolation, environment variable substitution, ${VAR}, {{name}}, variables in config",
  input: z.object({
    data: z.string().describe("The template"),
    variables: z
      .string()
      .max(16_777_216)
      .meta({ json: true })
      .describe("The values, as a JSON object; numbers are rendered as written"),
    ...templateFields,
  }),
  isolate: "process",
  exact: true,
  examples: [
    {
      input: { data: "Hello {{name}}, {{{greeting}}}", variables: '{"name":"<Ada>","greeting":"R&D"}' },
      result: "Hello &lt;Ada&gt;, R&D",
    },
    {
      title: "A list; lines that contain only a tag are removed",
      input: {
        data: "hosts:\n{{#hosts}}\n  - {{name}}:{{port}}\n{{/hosts}}\n{{^hosts}}\n  []\n{{/hosts}}\n",
        variables: '{"port":8080,"hosts":[{"name":"a"},{"name":"b","port":12345678901234567890}]}',
      },
      result: "hosts:\n  - a:8080\n  - b:12345678901234567890\n",
    },
    {
      title: "Environment variables, with a default and text that is not a variable",
      input: { data: "url=http://${HOST}:${PORT:-80}/$(id)", variables: '{"HOST":"db"}', syntax: "envsubst" },
      result: "url=http://db:80/$(id)",
    },
    {
      title: "A template of nginx, whose own variables stay",
      input: {
        data: "server_name ${HOST%%.*};\nproxy_set_header Host $host;\n",
        variables: '{"HOST":"db.example.com"}',
        syntax: "envsubst",
        only: ["HOST"],
      },
      result: "server_name db;\nproxy_set_header Host $host;\n",
    },
  ],
  run({ data, variables, syntax, missing, only, escape }) {
    const values = readValue(variables, "variables");
    if (syntax === "mustache") {
      if (only.length > 0) throw invalidField("only", "Applies to syntax envsubst; leave it out.");
      const options = { missing, template: data, escape: toEscape(escape) };
      return refusing(data, () => render(parseMustache(data), values, options));
    }
    if (!isDictionary(values))
      throw refuse(variables, { pointer: "" }, 'Must be an object, such as {"NAME": "value"}.', "variables");
    return refusing(data, () =>
      substitute(data, values, { missing, only: only.map((name) => name.replaceAll(/[${}]/g, "")) }),
    );
  },
});
