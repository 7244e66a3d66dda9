import type { CatalogTool } from "../../catalog/catalog.ts";
import { type Field, fieldsOf, inputSchemaOf } from "../../catalog/fields.ts";
import { invisible, toShellLine } from "./shell-line.ts";
import { fileTwins, toFlag } from "./tool-options.ts";

/** The catalogue as one page of Markdown (GFM), from nothing but the definitions of the tools. */
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

const opening = (count: number): string[] => [
  "# The tools",
  "This page is what `penknife tools --markdown` prints; it is not edited by hand.",
  [
    `Each of the ${count} tools can be called in these ways, with the same fields and the same result:`,
    "",
    '- `POST /api/tools/<slug>` with the fields as `application/json`; the answer is `{"result": "…"}`. Where a field is also a',
    "  JSON value or object, such a body may hold it as it is, without a change of a digit; a JSON string is always the text that",
    "  it holds.",
    "- `POST /api/tools/<slug>?<field>=<value>` with the document itself as `text/plain`; with `Accept: text/plain` the",
    "  answer is the result itself.",
    '- `POST /graphql` with a field below `run`: `{ run { jsonFormatter(input: {data: "[]"}) { result } } }`, names of tools in',
    "  camel case and values of enumerations in capitals, or with `runTool` ([schema.graphql](schema.graphql)).",
    "- `penknife run <slug>` with the document in a file or on standard input and the other fields as options; those that are",
    "  documents or secrets can come from a file. A result that does not end with a newline gets one, except where a tool is",
    '  exact to the byte; `--no-newline` adds none. A report that says `"valid": false` is exit status 1, unless there is',
    "  `--report-only`.",
  ].join("\n"),
];

/** Paragraphs. */
function renderTool(tool: CatalogTool): string[] {
  const fields = fieldsOf(tool.input);
  const paragraphs = [
    `### ${tool.slug}`,
    `**${escape(tool.title)}**, version ${tool.version}. ${escape(tool.summary)}${traitsOf(tool)}`,
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
    tool.exact && "Its result is exact to the byte.",
    !tool.deterministic && "Its result depends on time or chance.",
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
  // GFM takes cells apart before it looks for code spans.
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

/** A code block is fenced by more backticks than stand in it. */
function fence(language: string, text: string): string {
  const ticks = longestRun(text, 2);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function code(text: string): string {
  const ticks = longestRun(text, 0);
  const pad = /^`|`$/.test(text) ? " " : "";
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** One backtick more than the longest run of them, and than `least`. */
function longestRun(text: string, least: number): string {
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  return "`".repeat(Math.max(least, ...runs) + 1);
}

/** Text that is to be read as it is: an underscore within a word is no emphasis. */
const escape = (text: string): string =>
  text.replaceAll(/[\\`*<>|[\]]|(?<!\w)_|_(?!\w)/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
