import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { yamlText } from "../../lib/edit/yaml-text.ts";
import { loadYaml } from "../../lib/yaml/parse.ts";
import { edit, editFields } from "../edit-fields.ts";

export default defineTool({
  slug: "yaml-editor",
  title: "YAML editor",
  summary:
    "Set, add and remove values of a YAML document; comments, quotes, order and every other byte stay.",
  page: {
    tile: "Bump a tag, keep the rest",
    layout: "pattern",
    view: "text+diff",
    options: ["edits", "document", "strings", "missing"],
    labels: { strings: "Values as text", missing: "Missing paths" },
  },
  accepts: "YAML",
  aliases:
    "yq -i, yq eval, dasel put, sed yaml, bump image tag, edit yaml, set yaml value, change yaml value, helm --set, kustomize edit set image, update image tag, edit values.yaml, in-place yaml edit",
  input: z.object({
    data: z.string().describe("The YAML document, or several that begin with ---"),
    ...editFields,
    document: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe("Number of the document to edit, from 1, where data has several"),
  }),
  isolate: "process",
  exact: true,
  check: "change",
  examples: [
    {
      title: "The tag of an image in the values of a Helm chart",
      input: {
        data: '# Values of the shop\nimage:   # by the platform team\n  repository: registry.example.com/shop\n  tag: "1.9.3"   # bumped by CI\n\nreplicas: 2\n',
        edits: ['image.tag="1.10.0"'],
      },
      result:
        '# Values of the shop\nimage:   # by the platform team\n  repository: registry.example.com/shop\n  tag: "1.10.0"   # bumped by CI\n\nreplicas: 2\n',
    },
    {
      title: "A container by its name, a new variable, and one limit less",
      input: {
        data: "spec:\n  containers:\n  - name: web   # public\n    image: 'shop/web:1.0'\n    resources: {limits: {cpu: 1, memory: 1Gi}}\n  - name: log\n    image: shop/log:3\n",
        edits: [
          "spec.containers[name=web].image=shop/web:1.1",
          'spec.containers[name=web].env[]+={"name":"MODE","value":"prod"}',
          "-spec.containers[0].resources.limits.cpu",
        ],
      },
      result:
        "spec:\n  containers:\n  - name: web   # public\n    image: 'shop/web:1.1'\n    resources: {limits: {memory: 1Gi}}\n    env:\n      - name: MODE\n        value: prod\n  - name: log\n    image: shop/log:3\n",
    },
    {
      title: "One of several documents",
      input: {
        data: "kind: Service\n---\nkind: Deployment\nspec:\n  replicas: 1\n",
        edits: ["spec.replicas=3"],
        document: 2,
      },
      result: "kind: Service\n---\nkind: Deployment\nspec:\n  replicas: 3\n",
    },
  ],
  async run({ data, document, ...options }) {
    return edit(data, yamlText(await loadYaml(), document), options);
  },
});
