import type { Row } from "./corpus.ts";
import type { Entry } from "./mapping.ts";
import { remotesFor } from "./schema-remotes.ts";

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** The suite is about well-formed documents, not about fragments of one. */
const xmlDocument = { fragment: false };

/** PapaParse reads what it can and reports the rest; these options select the same reading. */
const likePapaParse = { quotes: "lenient", ragged: "keep", emptyLines: "keep", delimiter: "auto" };

/** JSON, YAML, TOML, CSV, XML and SQL documents, and operations on them. */
export const documentSlugs: Readonly<Record<string, Entry>> = {
  "json-formatter": { tool: "json-formatter" },
  "cyberchef/json-formatter": { tool: "json-formatter", values: { indent: { " ": 1 } } },
  "json-minifier": { tool: "json-minifier", fields: { indent: null } },
  "json-validator": {
    tool: "json-validator",
    fields: { indent: null },
    // The suites follow the grammar of RFC 8259, which allows duplicate names.
    with: { duplicateKeys: "allow" },
    verdict: "report",
  },
  "json-test-suite/(raw body)": { tool: "json-formatter" },
  "json-canonicalize": { tool: "json-canonicalizer" },
  "json-patch": { tool: "json-patcher", with: { type: "patch" } },
  "json-merge-patch": { tool: "json-patcher", with: { type: "merge" } },
  "json-pointer": { tool: "json-query", fields: { pointer: "query" }, with: { language: "pointer" } },
  jsonpath: { tool: "json-query", fields: { path: "query" } },
  jsonata: {
    tool: "json-query",
    fields: { expression: "query" },
    with: { language: "jsonata", indent: 0 },
  },
  jq: {
    tool: "json-query",
    fields: { filter: "query" },
    with: { language: "jq", indent: 0 },
    without: ({ input, expect }) =>
      expect["error"] !== true && /^(?:import|include) |^modulemeta$/.test(String(input["filter"]))
        ? "modules are not supported"
        : undefined,
    answer: (text) => `[${text.split("\n").filter(Boolean).join(",")}]`,
  },
  "cyberchef/jsonpath": {
    tool: "json-query",
    fields: { path: "query", delimiter: null },
    with: { indent: 0 },
    answer: (text, { input }) =>
      (JSON.parse(text) as unknown[]).map((value) => JSON.stringify(value)).join(String(input["delimiter"])),
  },
  "json-schema-validate": {
    tool: "json-schema-validator",
    lacks: {
      "draft=draft3": "draft 3 is out of scope: superseded in 2013",
      "draft=v1": "v1 is out of scope: not published yet",
    },
    input: ({ data, schema, draft }, row) => ({
      data,
      schema,
      draft: String(draft).replace(/^draft/, ""),
      ...remotesFor(String(schema), String(draft)),
      // Outside optional/format the suites treat `format` as an annotation, as drafts since 2019-09 do.
      formats: row.tags?.includes("format") === true,
    }),
    verdict: "report",
  },

  "json-to-yaml": {
    tool: "json-to-yaml",
    readBack: (data) => ({ tool: "yaml-to-json", input: { data } }),
  },
  "devtoys/json-to-yaml": { tool: "json-to-yaml" },
  "yaml-to-json": { tool: "yaml-to-json" },
  "yaml-test-suite/yaml-to-json": {
    tool: "yaml-to-json",
    input: toYamlReading,
  },
  "yaml-validator": { tool: "yaml-validator", verdict: "report" },
  "yaml-formatter": {
    tool: "yaml-formatter",
    readBack: (data, row) => ({ tool: "yaml-to-json", input: toYamlReading({ data }, row) }),
  },
  "toml-to-json": {
    tool: "toml-to-json",
    input: (input, { toml }) => ({ ...input, version: toml?.includes("1.1") === true ? "1.1" : "1.0" }),
  },
  "toml-validator": {
    tool: "toml-validator",
    input: (input, { toml }) => ({ ...input, version: toml?.includes("1.1") === true ? "1.1" : "1.0" }),
    verdict: "report",
  },
  "toml-test/(raw body)": { tool: "toml-to-json" },

  "xml-formatter": { tool: "xml-formatter", with: xmlDocument },
  "devtoys/xml-formatter": { tool: "xml-formatter", with: xmlDocument },
  "xml-minifier": { tool: "xml-formatter", fields: { indent: null }, with: { ...xmlDocument, indent: 0 } },
  "xml-validator": {
    tool: "xml-validator",
    // Rows of Namespaces in XML are tagged with its version.
    input: (input, { tags }) => ({ ...input, namespaces: tags?.some((tag) => tag.startsWith("NS")) }),
    verdict: "report",
  },
  "xml-to-json": { tool: "xml-to-json" },
  "xml-conformance/(raw body)": { tool: "xml-formatter", with: xmlDocument },

  "csv-spectrum/csv-to-json": { tool: "csv-to-json" },
  "csv-to-json": {
    tool: "csv-to-json",
    fields: {
      comments: "comment",
      preview: "limit",
      dynamicTyping: "types",
      skipEmptyLines: "emptyLines",
      newline: null,
      fastMode: null,
      // Nothing is skipped for values up to zero.
      skipFirstNLines: null,
    },
    values: {
      comments: { true: "#", false: "" },
      skipEmptyLines: { greedy: "skip-blank", true: "skip", false: "keep" },
    },
    lacks: { "escapeChar=\\": "a quote is escaped by a quote (RFC 4180) and by nothing else" },
    input: ({ types, ...input }) => ({
      ...likePapaParse,
      ...input,
      types: types === undefined || types === false ? "none" : "infer",
      ...(typeof types === "object" && { inferColumns: Object.keys(types as object) }),
    }),
  },
  "json-to-csv": {
    tool: "json-to-csv",
    fields: {
      quotes: "quoteAll",
      quoteChar: "quote",
      escapeFormulae: "escapeFormulas",
      skipEmptyLines: "emptyRecords",
      // The quote character is also the escape character; the suite has no row where they differ.
      escapeChar: null,
    },
    values: { skipEmptyLines: { greedy: "skip-blank", true: "skip", false: "blank" } },
    lacks: { "quotes=true,false,true": "quotes are put where they are needed, or everywhere" },
    input: ({ data, ...input }) => {
      const value: unknown = JSON.parse(String(data));
      const { fields, data: records } = (Array.isArray(value) ? {} : value) as Record<string, unknown>;
      return {
        eol: "crlf",
        emptyRecords: "blank",
        ...input,
        data: records === undefined ? data : JSON.stringify(records),
        ...(fields !== undefined && { columns: fields }),
      };
    },
  },
  "cyberchef/json-to-csv": {
    tool: "json-to-csv",
    fields: { newline: null },
    with: { eol: "crlf" },
    // Theirs ends its last line too.
    answer: (text) => `${text}\r\n`,
  },

  "sql-formatter": {
    tool: "sql-formatter",
    fields: { leadingComma: null },
    lacks: { "indent=\t": "indentation is counted in spaces" },
  },

  "text-diff": {
    tool: "text-differ",
    fields: { a: "data", b: "other", mode: "unit", filename: null, options: null },
    values: {
      mode: {
        chars: "character",
        lines: "line",
        trimmedlines: "line",
        sentences: "line",
        words: "word",
        wordswithspace: "word",
      },
    },
    // Without the unit, the patch itself is what the row tests.
    input: (input, { expect }) => ({ ...input, ...("xml" in expect && { format: "json" }) }),
    answer: (text, { expect }) => ("xml" in expect ? toMarkup(text) : text),
  },

  "cyberchef/text-diff": {
    tool: "text-differ",
    input: ({ data }) => {
      const [before = "", after = ""] = String(data).split("\n\n");
      return { data: before, other: after, unit: "character", format: "json" };
    },
    // Without the unchanged lines.
    answer: (text) => toMarkup(text, false),
  },

  "jwt-decode": { tool: "jwt-decoder" },
  "cyberchef/jwt-decode": {
    tool: "jwt-decoder",
    answer: (text) => JSON.stringify(json(text)["payload"], null, 4),
  },
};

/** JSON has only string keys, and rows that are one document do not say otherwise. */
function toYamlReading(input: Record<string, unknown>, { expect }: Row): Record<string, unknown> {
  return { ...input, keys: "stringify", tags: "drop", documents: "json" in expect ? "single" : "all" };
}

function toMarkup(text: string, whole = true): string {
  const { changes } = JSON.parse(text) as { changes: { op: "equal" | "insert" | "delete"; text: string }[] };
  const tags = { equal: ["", ""], insert: ["<ins>", "</ins>"], delete: ["<del>", "</del>"] };
  return changes
    .filter(({ op }) => whole || op !== "equal")
    .map(({ op, text: part }) => {
      const escaped = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return tags[op].join(escaped);
    })
    .join("");
}
