import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { isDictionary } from "../../lib/data/value.ts";
import { yamlText } from "../../lib/edit/yaml-text.ts";
import { rewriteText } from "../../lib/merge/merge-text.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import { toYaml } from "../../lib/yaml/to-yaml.ts";
import { mergeAll, mergerFields, readYamlOf } from "../merger-fields.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "yaml-merger",
  title: "YAML merger",
  version: "1.0.1",
  summary: "Merge two or more YAML documents deeply; what the first one keeps stays, comments included.",
  page: {
    tile: "Helm values, Compose overrides",
    layout: "compare",
    view: "text+diff",
    options: ["arrays", "arrayKey", "null", "conflict", "layout"],
    second: "other",
    labels: { data: "Document", other: "Over it", arrayKey: "Key of items", null: "Null in a later one" },
  },
  accepts: "YAML",
  aliases:
    "yq eval-all, helm -f values.yaml, docker-compose.override.yml, merge yaml files, deep merge yaml, merge values.yaml, combine yaml, override yaml, overlay yaml, merge compose files",
  input: z.object({
    data: z.string().describe("The first YAML document"),
    other: z.string().max(16_777_216).describe("The document that is merged over it"),
    ...mergerFields,
    layout: z
      .enum(["keep", "new"])
      .default("keep")
      .describe(
        "Layout of the result: keep changes the text of the first document in place, new writes it without comments, anchors and aliases",
      ),
    indent: z.int().min(1).max(10).default(2).describe("Spaces per level of a new layout, 1 to 10"),
  }),
  isolate: "process",
  examples: [
    {
      title: "Values of an environment over those of a Helm chart",
      input: {
        data: "# Values of the shop\nimage:\n  repository: registry.example.com/shop # mirror\n  tag: '1.9.3'\n\nreplicas: 1 # at least\ningress: {enabled: false}\n",
        other: "image:\n  tag: '1.10.0'\nreplicas: 3\ningress:\n  enabled: true\n  host: shop.example.com\n",
      },
      result:
        "# Values of the shop\nimage:\n  repository: registry.example.com/shop # mirror\n  tag: '1.10.0'\n\nreplicas: 3 # at least\ningress: {enabled: true, host: shop.example.com}\n",
    },
    {
      title: "An override of Compose adds to lists",
      input: {
        data: "services:\n  web:\n    image: web\n    ports:\n      - 80:80\n    # debugging\n    tty: true\n",
        other: "services:\n  web:\n    ports:\n      - 443:443\n      - 80:80\n    tty: null\n",
        arrays: "union",
      },
      result:
        'services:\n  web:\n    image: web\n    ports:\n      - 80:80\n      - "443:443"\n    # debugging\n',
    },
    {
      title: "A new layout has the values of anchors and merge keys",
      input: { data: "base: &b {a: 1}\nmore:\n  <<: *b\n  c: 2\n", other: "more: {a: 3}\n", layout: "new" },
      result: "base:\n  a: 1\nmore:\n  a: 3\n  c: 2\n",
    },
  ],
  async run({ data, other, others, layout, indent, ...rules }) {
    const yaml = await loadYaml();
    const first = readYamlOf(yaml, data, undefined, layout === "keep");
    const later = [other, ...others].map((text, at) => {
      const field = at === 0 ? "other" : "others";
      return { text, field, value: readYamlOf(yaml, text, field, false) };
    });
    const merged = mergeAll(first, later, rules);
    return refusing(data, () =>
      layout === "new" || !isDictionary(first) || !isDictionary(merged)
        ? toYaml(merged, { indent, compat: "yaml1.1", lineWidth: 0 })
        : rewriteText(data, yamlText(yaml, undefined), first, merged),
    );
  },
});
