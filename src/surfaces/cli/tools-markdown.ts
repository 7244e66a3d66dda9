import type { CatalogTool } from "../../catalog/catalog.ts";
import { type Field, fieldsOf, inputSchemaOf } from "../../catalog/fields.ts";
import { toFlag } from "../../lib/shell-words.ts";
import { invisible, toShellLine } from "./shell-line.ts";
import { fileTwins } from "./tool-options.ts";

/** Renders the catalogue as one page of Markdown (GFM), derived from the tool definitions. */
export function renderMarkdown(tools: readonly CatalogTool[]): string {
  const categories = Map.groupBy(tools, (tool) => tool.category);
  const contents = [...categories].map(
    ([category, members]) =>
      `- [${category}](#${category}): ${members.map(({ slug }) => `[${slug}](#${slug})`).join(", ")}`,
  );
  const sections = [...categories].flatMap(([category, members]) => [
    `## ${category}`,
    ...members.flatMap(renderTool),
  ]);
  return `${[...opening(tools.length), contents.join("\n"), ...sections].join("\n\n")}\n`;
}

/** Renders the tools of one category as a page. */
export const renderCategory = (category: string, sentence: string, tools: readonly CatalogTool[]): string =>
  `${[`# ${category}`, sentence, "How they are called is in [the list of all tools](../tools.md).", ...tools.flatMap(renderTool)].join("\n\n")}\n`;

export const opening = (count: number): string[] => [
  "# The tools",
  "Generated from the definitions of the tools; do not edit.",
  [
    `Each of the ${count} tools can be called in these ways, with the same fields and the same result:`,
    "",
    '- `POST /api/tools/<slug>` with the fields as `application/json`; the answer is `{"result": "…"}`. A field of type "JSON',
    '  value" or "JSON object" also takes the JSON itself, whose numbers keep every digit; a JSON string is always taken as text.',
    "- `POST /api/tools/<slug>?<field>=<value>` with the document itself as `text/plain`; with `Accept: text/plain` the",
    "  answer is the result itself.",
    '- `POST /graphql` with a field below `run`: `{ run { jsonFormatter(input: {data: "[]"}) { result } } }`, with tool names in',
    "  camel case and enumeration values in capitals, or with `runTool` ([schema.graphql](schema.graphql)).",
    "- `penknife run <slug>` with the document in a file or on standard input and the other fields as options; documents and",
    "  secrets among them can be read from files. A missing final newline is added to the result unless the tool is exact to",
    '  the byte or `--no-newline` is given. A report with `"valid": false` sets exit status 1, unless `--report-only` is given.',
  ].join("\n"),
];

function renderTool(tool: CatalogTool): string[] {
  const fields = fieldsOf(tool.input);
  const paragraphs = [
    `### ${tool.slug}`,
    `**${escape(tool.title)}**, version ${tool.version}. ${escape(tool.summary)}${traitsOf(tool)}`,
    ...(tool.aliases === undefined ? [] : [`Also found as ${escape(tool.aliases)}.`]),
  ];
  if (fields.length > 0) {
    const { properties = {} } = inputSchemaOf(tool.input) as { properties?: Record<string, Bounds> };
    const files = new Map(fileTwins(tool).map(({ text, file }) => [text, file]));
    const rows = fields.map((field) => renderField(field, properties[field.name] ?? {}, files));
    const head = "| field | type | default | option | description |\n|---|---|---|---|---|";
    paragraphs.push(`${head}\n${rows.join("\n")}`);
  }
  return [...paragraphs, ...tool.examples.flatMap((example) => renderExample(tool, example))];
}

function traitsOf(tool: CatalogTool): string {
  const traits = [
    tool.check !== undefined && "It has a check mode (`?check=true`, `--check`).",
    tool.runBytes !== undefined && "It takes bytes (`application/octet-stream`).",
    tool.runBlocks !== undefined && "The command line runs it block by block on documents of any size.",
    tool.exact && "Its result is exact to the byte.",
    !tool.deterministic && "Its result depends on time or randomness.",
  ].filter((trait) => trait !== false);
  return traits.map((trait) => ` ${trait}`).join("");
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  items?: Bounds;
}

function renderField(field: Field, bounds: Bounds, files: ReadonlyMap<string, string>): string {
  const { minimum, maximum } = field.list ? (bounds.items ?? {}) : bounds;
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : "";
  const type = field.values?.map(code).join(", ") ?? `${typeOf(field)}${range}`;
  const flags = [toFlag(field.name), files.get(toFlag(field.name))].filter((flag) => flag !== undefined);
  const byDefault = field.default === undefined ? "" : code(JSON.stringify(field.default));
  const cells = [
    code(field.name),
    field.list ? `list of ${type}` : type,
    field.required ? "required" : byDefault,
    field.name === "data" ? "the document" : flags.map((flag) => code(`--${flag}`)).join(", "),
    escape(field.description),
  ];
  // GFM splits cells before it parses code spans.
  return `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
}

function typeOf({ type, json }: Field): string {
  if (json === undefined) return type;
  return `${type} or JSON ${json === "any" ? "value" : "object"}`;
}

function renderExample(
  tool: CatalogTool,
  { title, input, result }: CatalogTool["examples"][number],
): string[] {
  const line = toShellLine(tool, input);
  const plain = !invisible.test(result);
  return [
    `${escape(title ?? "As it is")}:`,
    fence("http", `POST /api/tools/${tool.slug}\nContent-Type: application/json\n\n${toJson(input)}`),
    ...(line === undefined ? [] : [fence("sh", line)]),
    plain ? fence("text", result) : fence("json", toJson({ result })),
  ];
}

const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => toEscape(character.charCodeAt(index))).join(""),
  );

const toEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

/** A fence has more backticks than any run of them in the text. */
function fence(language: string, text: string): string {
  const ticks = longestRun(text, 2);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function code(text: string): string {
  const ticks = longestRun(text, 0);
  const pad = /^`|`$/.test(text) ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** One backtick more than the longest run in the text, and more than `least`. */
function longestRun(text: string, least: number): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  return "`".repeat(Math.max(least, ...runs) + 1);
}

/** Escapes Markdown; an underscore within a word is not emphasis. */
export const escape = (text: string): string =>
  text.replaceAll(/[\\`*<>|[\]]|(?<!\w)_|_(?!\w)/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
