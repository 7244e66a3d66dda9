import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { redact } from "../../lib/json/redact.ts";
import type { Node } from "../../lib/jsonpath/evaluate.ts";
import { followPointer } from "../../lib/jsonpath/nodes.ts";
import { runQuery } from "../../lib/jsonpath/run.ts";
import { readDialect, readJson } from "../json-dialect.ts";
import { writeValue } from "../json-value.ts";
import { refusing, refusingOption } from "../refusing.ts";

const secrets =
  "*password* *passwd* pwd *passphrase* *secret* *token* *credential* *apikey* *accesskey *privatekey* *authorization *cookie*";

export default defineTool({
  slug: "json-redactor",
  title: "JSON redactor",
  version: "1.1.1",
  summary: "Mask values of a JSON document, selected by path or by the name of their key.",
  page: {
    tile: "Mask by path or by key",
    view: "code:json+diff",
    tab: "Result",
    options: ["keys", "paths", "mask"],
    labels: { keys: "Keys", paths: "Paths", mask: "Mask" },
  },
  accepts: "JSON",
  aliases:
    "mask json, redact json, censor json, hide fields, remove secrets from json, anonymize json, sanitize json log, mask password field, scrub pii json, obfuscate json, hide values",
  input: z.object({
    data: z.string().describe("The JSON document"),
    paths: z
      .array(z.string().max(10_000))
      .max(100)
      .default([])
      .describe(
        "JSONPath queries (RFC 9535) or JSON pointers (RFC 6901) of the values to mask; a path without a match is ignored",
      ),
    keys: z
      .array(z.string().min(1).max(200))
      .max(200)
      .default(secrets.split(" "))
      .describe(
        "Keys whose values are masked; case, hyphens, underscores, dots and spaces are ignored, * matches any characters",
      ),
    mask: z
      .string()
      .max(1000)
      .default("***")
      .describe("String that replaces each masked value, object or array"),
    dialect: readDialect,
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  exact: true,
  examples: [
    {
      input: { data: '{"user":"ann","Pass-Word":"x","access_token":[1],"id":1.0}' },
      result: '{\n  "user": "ann",\n  "Pass-Word": "***",\n  "access_token": "***",\n  "id": 1.0\n}',
    },
    {
      title: "By path, pointer and custom keys",
      input: {
        data: '{"a":[{"iban":"DE1","token":1},{"iban":"DE2"}],"b":{"c":{}}}',
        paths: ["$..iban", "/b/c"],
        keys: ["none"],
        mask: "[redacted]",
        indent: 0,
      },
      result: '{"a":[{"iban":"[redacted]","token":1},{"iban":"[redacted]"}],"b":{"c":"[redacted]"}}',
    },
  ],
  isolate: "process",
  async run({ data, paths, keys, mask, dialect, indent }) {
    const document = readJson(data, dialect);
    const found: Node[] = [];
    for (const path of paths) {
      const work = () => (path.startsWith("$") ? runQuery(path, document) : [followPointer(document, path)]);
      const nodes = await refusingOption("paths", () => refusing(data, work), `${path.slice(0, 100)}: `);
      for (const node of nodes) if (node !== undefined) found.push(node);
    }
    return writeValue(redact(document, found, keys, mask), indent);
  },
});
