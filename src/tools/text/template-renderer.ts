import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { isDictionary } from "../../lib/data/value.ts";
import { substitute } from "../../lib/template/envsubst.ts";
import { parseMustache } from "../../lib/template/mustache.ts";
import { render } from "../../lib/template/render.ts";
import { readValue } from "../json-value.ts";
import { refuse, refusing } from "../refusing.ts";

export default defineTool({
  slug: "template-renderer",
  title: "Template renderer",
  summary: "Render a Mustache or envsubst template with values; templates cannot run code.",
  input: z.object({
    data: z.string().describe("The template"),
    variables: z
      .string()
      .max(16_777_216)
      .meta({ json: true })
      .describe("The values, as a JSON object; numbers are rendered as written"),
    syntax: z
      .enum(["mustache", "envsubst"])
      .default("mustache")
      .describe(
        "Template syntax: mustache ({{name}}, sections and comments, without partials and lambdas) or envsubst ($NAME, ${NAME} and ${NAME:-default})",
      ),
    missing: z
      .enum(["error", "empty"])
      .default("error")
      .describe(
        "Handling of a variable without a value: report an error or render nothing; a section may test for a value",
      ),
    escape: z
      .enum(["html", "none"])
      .default("html")
      .describe("Escaping of {{name}} in mustache; {{{name}}} is never escaped"),
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
  ],
  run({ data, variables, syntax, missing, escape }) {
    const values = readValue(variables, "variables");
    if (syntax === "mustache") {
      const options = { missing, escape: escape === "html" ? escapeHtml : (text: string) => text };
      return refusing(data, () => render(parseMustache(data), values, options));
    }
    if (!isDictionary(values))
      throw refuse(variables, { pointer: "" }, 'Must be an object, such as {"NAME": "value"}.', "variables");
    return refusing(data, () => substitute(data, values, missing));
  },
});

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => entities.get(char) ?? char);

const entities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);
