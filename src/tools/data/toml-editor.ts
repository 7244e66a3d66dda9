import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { tomlText } from "../../lib/edit/toml-text.ts";
import { edit, editFields } from "../edit-fields.ts";

export default defineTool({
  slug: "toml-editor",
  title: "TOML editor",
  summary: "Set, add and remove values of a TOML document; comments, order and every other byte stay.",
  page: {
    tile: "Set values, keep the rest",
    layout: "pattern",
    view: "text+diff",
    options: ["edits", "strings", "missing", "version"],
    labels: { strings: "Values as text", missing: "Missing paths", version: "TOML" },
  },
  accepts: "TOML",
  aliases:
    "dasel put, toml set, toml-cli, cargo set-version, cargo add, edit toml, set toml value, change toml value, edit cargo.toml, edit pyproject.toml, tomlkit, in-place toml edit",
  input: z.object({
    data: z.string().describe("The TOML document"),
    ...editFields,
    version: z
      .enum(["1.0", "1.1"])
      .default("1.1")
      .describe(
        "TOML version; 1.1 accepts every TOML 1.0 document, 1.0 refuses syntax that was added in 1.1",
      ),
  }),
  isolate: "process",
  exact: true,
  check: "change",
  examples: [
    {
      title: "A version and a dependency in Cargo.toml",
      input: {
        data: '[package]\nname = "app"\nversion = "0.1.0" # by CI\n\n[dependencies]\nserde = { version = "1", features = ["derive"] }\n',
        edits: [
          'package.version="0.2.0"',
          'dependencies.serde.features[]+="rc"',
          'dependencies.tokio = { version = "1", default-features = false }',
        ],
      },
      result:
        '[package]\nname = "app"\nversion = "0.2.0" # by CI\n\n[dependencies]\nserde = { version = "1", features = ["derive", "rc"] }\n\n[dependencies.tokio]\nversion = "1"\ndefault-features = false\n',
    },
    {
      title: "Removing a table, and an item of an array of tables",
      input: {
        data: 'title = "a"\n\n[[bin]]\nname = "one"\n\n[[bin]] # the second\nname = "two"\n\n[old]\nx = 1\n',
        edits: ["-old", "-bin[name=one]", "title='b'"],
      },
      result: 'title = "b"\n\n[[bin]] # the second\nname = "two"\n\n',
    },
    {
      title: "Values of TOML",
      input: {
        data: "[when]\nstart = 1979-05-27\n",
        edits: ["when.start=2026-01-02T03:04:05Z", "when.limit=inf"],
      },
      result: "[when]\nstart = 2026-01-02T03:04:05Z\nlimit = inf\n",
    },
  ],
  run: ({ data, version, ...options }) => edit(data, tomlText(version), options),
});
