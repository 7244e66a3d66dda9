import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { configKinds, formatOfFile, kindOfFile } from "../../lib/config-files/kinds.ts";
import { validateConfig } from "../../lib/config-files/validate.ts";
import { joinWords } from "../../lib/join-words.ts";
import { configValidatorExamples } from "../config-validator-examples.ts";
import { readDocument } from "../document.ts";
import { findingOf } from "../findings.ts";
import { toMarkedReport } from "../json-mark.ts";

const names = joinWords(
  configKinds.map(({ name }) => name),
  "and",
);

export default defineTool({
  slug: "config-validator",
  title: "Config validator",
  summary:
    "Validate a configuration file of a repository by its name (package.json, dependabot.yml and 21 others).",
  page: {
    title: "Configuration validator",
    tile: "package.json, tsconfig, dependabot",
    layout: "check",
    view: "report",
    options: ["name", "strict"],
    labels: { data: "File", name: "Its name", strict: "Unknown fields are errors" },
    start: { name: "package.json" },
  },
  accepts: "a configuration file in JSON, YAML or TOML",
  aliases:
    "package.json validator, tsconfig validator, validate package.json, validate dependabot.yml, validate pyproject.toml, cargo.toml check, composer validate, validate config file, unknown option, misspelt option, renovate-config-validator, codecov.yml validator",
  input: z.object({
    data: z.string().describe("The text of the file"),
    name: z
      .string()
      .max(1000)
      .default("")
      .describe(
        `Name of the file, with or without folders; a check of files takes it from them. Known: ${names}, and other names of the same files`,
      ),
    strict: z.boolean().default(false).describe("Unknown fields are errors, not warnings"),
  }),
  examples: configValidatorExamples,
  isolate: "process",
  check: "report",
  fileOptions: (name) => ({ name }),
  async run({ data, name, strict }): Promise<Report> {
    const kind = kindOfFile(name);
    if (kind === undefined) {
      const subject = name === "" ? "The file has no name" : "There is no schema for a file of this name";
      return toReport([findingOf("unknown-file", `${subject}; set name to that of a known file: ${names}.`)]);
    }
    const format = formatOfFile(kind, name, data);
    const document = await readDocument(data, format);
    if ("errors" in document) return document;
    const found = await validateConfig(document.value, kind, strict ? "error" : "warning");
    const placed = document.locate(found).toSorted((a, b) => a.offset - b.offset);
    return toMarkedReport(data, format, placed);
  },
});
