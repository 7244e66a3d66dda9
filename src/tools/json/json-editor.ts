import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { jsonText } from "../../lib/edit/json-text.ts";
import { dialectOption } from "../../lib/json-files.ts";
import { edit, editFields } from "../edit-fields.ts";

export default defineTool({
  slug: "json-editor",
  title: "JSON editor",
  summary: "Set, add and remove values of a JSON document; every other byte stays, comments included.",
  page: {
    tile: "Set values, keep the rest",
    layout: "pattern",
    view: "code:json+diff",
    options: ["edits", "dialect", "strings", "missing"],
    labels: { strings: "Values as text", missing: "Missing paths" },
  },
  accepts: "JSON",
  aliases:
    "jq '.a=1', dasel put, npm pkg set, edit json, change json value, set json value, edit tsconfig.json, edit package.json, jsonc editor, update package.json, in-place json edit",
  input: z.object({
    data: z.string().describe("The JSON document"),
    ...editFields,
    dialect: z
      .enum(["json", "jsonc", "json5"])
      .default("json")
      .describe(
        "Dialect of the document and of values: json (RFC 8259), jsonc (comments and trailing commas) or json5",
      ),
  }),
  isolate: "process",
  exact: true,
  check: "change",
  fileOptions: dialectOption,
  examples: [
    {
      title: "A version and a dependency in package.json",
      input: {
        data: '{\n  "name": "app",\n  "version": "1.0.0",\n  "dependencies": { "zod": "^4.0.0" }\n}\n',
        edits: ["version=1.1.0", 'dependencies["@types/node"]=^26.0.0'],
        strings: true,
      },
      result:
        '{\n  "name": "app",\n  "version": "1.1.0",\n  "dependencies": { "zod": "^4.0.0", "@types/node": "^26.0.0" }\n}\n',
    },
    {
      title: "Comments of tsconfig.json stay",
      input: {
        data: '{\n  // what to build\n  "compilerOptions": {\n    "strict": false, // for now\n    "lib": ["es2022"]\n  },\n}\n',
        edits: ["compilerOptions.strict=true", "compilerOptions.lib[]+=dom", "compilerOptions.target=es2024"],
        dialect: "jsonc",
      },
      result:
        '{\n  // what to build\n  "compilerOptions": {\n    "strict": true, // for now\n    "lib": ["es2022", "dom"],\n    "target": "es2024"\n  },\n}\n',
    },
    {
      title: "Numbers keep their notation; an item is found by a value in it, and a member is removed",
      input: {
        data: '{"rate":1.0,"users":[{"id":12345678901234567890,"role":"admin"},{"id":2,"role":"guest"}],"old":{}}',
        edits: ["users[id=2].role=admin", "-old"],
      },
      result: '{"rate":1.0,"users":[{"id":12345678901234567890,"role":"admin"},{"id":2,"role":"admin"}]}',
    },
  ],
  run: ({ data, dialect, ...options }) => edit(data, jsonText(dialect), options),
});
