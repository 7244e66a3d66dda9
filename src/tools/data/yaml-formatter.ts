import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { formatYaml } from "../../lib/yaml/format.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "yaml-formatter",
  title: "YAML formatter",
  version: "3.0.0",
  summary: "Format YAML; comments, key order, anchors, tags and the text of scalars are preserved.",
  page: {
    tile: "Comments and anchors kept",
    view: "code:yaml",
    options: ["indent", "sortKeys", "lineWidth"],
  },
  accepts: "YAML",
  aliases:
    "yaml prettify, prettify yaml, yamlfmt, prettier yaml, format yml, beautify yaml, yaml beautifier, yaml viewer, indent yaml, docker-compose.yml, tidy yaml, yq ., reformat yaml, clean up yaml, prettify, beautify",
  input: z.object({
    data: z.string().describe("The YAML document, or several that begin with ---"),
    indent: z.int().min(1).max(10).default(2).describe("Spaces per level, 1 to 10"),
    sortKeys: z
      .boolean()
      .default(false)
      .describe("Sort the keys of every map by Unicode code point; comments go with their keys"),
    lineWidth: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe(
        "Column at which long strings and flow collections are wrapped; 0 keeps their lines as written",
      ),
    bracketSpacing: z
      .boolean()
      .optional()
      .describe("Write spaces inside of the braces of flow maps, { a: 1 }; by default as most of them have"),
    quotes: z
      .enum(["preserve", "double", "single"])
      .default("preserve")
      .describe("Quotes of strings in quotes; a string that would need an escape in them keeps its own"),
    sequences: z
      .enum(["keep", "indented", "flush"])
      .default("keep")
      .describe("Indentation of lists in a map: keep is that of most of the lists, flush that of their keys"),
    blankLines: z.int().min(0).max(10).default(1).describe("Most blank lines in a row that are kept"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: "a:   [1,   2]\nb:\n    - x\n    -   y\n" },
      result: "a: [1, 2]\nb:\n  - x\n  - y\n",
    },
    {
      title: "Comments, anchors, quotes and the notation of numbers are preserved",
      input: { data: "# why\nv:    1.0 # as written\nmode: 0644\nx:  &id   'no'\ny: *id\n" },
      result: "# why\nv: 1.0 # as written\nmode: 0644\nx: &id 'no'\ny: *id\n",
    },
    {
      title: "Folded text keeps its lines",
      input: { data: "why: >-\n    one\n    two\nat:  {b:  [1]}\n", bracketSpacing: true },
      result: "why: >-\n  one\n  two\nat: { b: [1] }\n",
    },
    {
      title: "A comment keeps its place, also below an empty list",
      input: { data: "on: # about on\n    x: []\n      # - y\n\n# about z\nz:   {{ z }}\n" },
      result: "on: # about on\n  x: []\n    # - y\n\n# about z\nz: {{ z }}\n",
    },
    {
      title: "Lists below their keys, and one kind of quotes",
      input: { data: "a:\n  - 'x'\n  - \"it's\"\n", sequences: "flush", quotes: "double" },
      result: 'a:\n- "x"\n- "it\'s"\n',
    },
    {
      title: "Comments move with their sorted keys",
      input: { data: "b: 1\n# about a\na: 2 # end\n", sortKeys: true },
      result: "# about a\na: 2 # end\nb: 1\n",
    },
  ],
  check: "change",
  async run({ data, ...layout }) {
    const yaml = await loadYaml();
    return refusing(data, () => formatYaml(yaml, data, layout));
  },
});
