import { aliasesOf, describe, summarize } from "../../catalog/describe.ts";
import { findNamed, toFoundList } from "../../catalog/find-tools.ts";
import { fieldsOf } from "../../catalog/fields.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";
import { toFlag } from "../../lib/shell-words.ts";
import { defineLeaf, jsonArg } from "./command.ts";
import type { Host, Output } from "./host.ts";
import { writeJson } from "./json.ts";
import { loadSettings } from "./load-settings.ts";
import { findPipelines } from "./pipeline-folder.ts";
import { createStyle } from "./style.ts";
import { columnsOf, renderTable, wrap } from "./table.ts";
import { fileTwins } from "./tool-options.ts";
import { renderMarkdown } from "./tools-markdown.ts";
import { usageError } from "./usage-error.ts";
import { visible, visibleLine } from "./visible.ts";

export const toolsCommand = defineLeaf({
  description: "List the tools, find one by any name, or show the options and examples of one.",
  many: true,
  args: {
    tool: {
      type: "positional",
      required: false,
      description: "The tool to show, or words to search for, such as md5 or pretty print json",
    },
    ...jsonArg,
    markdown: {
      type: "boolean",
      description: "Print the reference of every tool as Markdown",
    },
    graphql: {
      type: "boolean",
      description: "Print the GraphQL schema of a server with this configuration",
    },
  },
  examples: [
    "penknife tools",
    "penknife tools json-formatter",
    "penknife tools decode jwt",
    "penknife tools --json | jq -r '.items[].slug'",
    "penknife tools --markdown > tools.md",
    "penknife tools --graphql > schema.graphql",
  ],
  async run(args, host, raw) {
    const words = raw.slice(raw.indexOf("--") + 1);
    const forms = (["markdown", "graphql", "json"] as const).filter((form) => args[form] === true);
    const [whole] = forms;
    if (whole !== undefined && whole !== "json" && (forms.length > 1 || words.length > 0)) {
      const rest = ["TOOL", ...["--markdown", "--graphql", "--json"].filter((flag) => flag !== `--${whole}`)];
      throw usageError(`--${whole} prints every tool; leave out ${rest.join(", ")}.`);
    }
    const { config, file } = await loadSettings(args, host);
    const catalog = await host.program.catalog(config.tools.disabled, findPipelines(file, host.files));
    if (args.markdown === true) return host.stdout.write(renderMarkdown(await catalog.all()));
    if (args.graphql === true) return host.stdout.write(await host.program.schema(catalog));
    const query = words.join(" ").trim();
    if (query === "") return listTools(await catalog.all(), args.json === true, host);
    if (!catalog.has(query)) return showFound(await catalog.all(), query, args.json === true, host);
    const tool = await catalog.get(query);
    if (args.json === true) return writeJson(host, describe(tool));
    await host.stdout.write(renderTool(tool, host));
  },
});

async function listTools(tools: readonly CatalogTool[], json: boolean, host: Host): Promise<void> {
  if (json) return writeJson(host, { items: tools.map(summarize) });
  const rows = tools.map((tool) => [tool.slug, tool.summary]);
  const table = renderTable(["TOOL", "WHAT IT DOES"], rows, host.stdout);
  await host.stdout.write(host.stdout.isTTY ? withCategories(table, tools, host) : table);
}

/** Puts the name of its category above the first line of each, in a table with a line of headings. */
function withCategories(table: string, tools: readonly CatalogTool[], { stdout, env }: Host): string {
  const style = createStyle(stdout, env);
  const [headings = "", ...lines] = table.split("\n");
  const parts = lines.flatMap((line, at) => {
    const category = tools[at]?.category;
    const isFirst = category !== undefined && category !== tools[at - 1]?.category;
    return isFirst ? ["", style.bold(category), line] : [line];
  });
  return [headings, ...parts].join("\n");
}

/** Prints the tools that people call so, one a line, the best first. */
async function showFound(
  tools: readonly CatalogTool[],
  query: string,
  json: boolean,
  host: Host,
): Promise<void> {
  const named = findNamed(tools, query);
  const { found, onlyNearest } = named;
  if (onlyNearest) {
    const advice =
      found.length > 0
        ? "These are the nearest:"
        : "penknife tools lists them all; input-detector names those that fit a document.";
    await host.stderr.write(`No tool is called so. ${advice}\n`);
  }
  if (json) return writeJson(host, toFoundList(named));
  if (found.length === 0) return;
  const rows = found.map(({ slug, summary }) => [slug, visible(summary)] as const);
  await host.stdout.write(rows.map((row) => toLine(row, rows, host.stdout)).join(""));
}

/** Aligned and cut to the width of a terminal; otherwise whole, after a tab, for scripts. */
function toLine(
  [slug, summary]: readonly [string, string],
  rows: readonly (readonly [string, string])[],
  output: Output,
): string {
  if (!output.isTTY) return `${slug}\t${summary}\n`;
  const line = `${slug.padEnd(Math.max(...rows.map(([name]) => name.length)))}  ${summary}`;
  const width = columnsOf(output);
  return `${line.length <= width ? line : `${line.slice(0, width - 1)}…`}\n`;
}

function renderTool(tool: CatalogTool, { stdout, env }: Host): string {
  const style = createStyle(stdout, env);
  const width = Math.min(columnsOf(stdout), 100);
  const lines = [
    `${style.bold(tool.slug)} — ${visible(tool.title)}, version ${tool.version}`,
    ...wrap(visible(tool.summary), width),
  ];
  const aliases = aliasesOf(tool);
  if (aliases.length > 0) lines.push("", ...wrap(`Also found as ${aliases.join(", ")}.`, width));
  lines.push("", style.bold("Fields:"));
  const files = new Map(fileTwins(tool).map(({ text, file }) => [text, file]));
  for (const field of fieldsOf(tool.input)) {
    const type = field.values?.join(" | ") ?? `${field.type}${field.list ? ", repeatable" : ""}`;
    const file = files.get(toFlag(field.name));
    const rest = field.required ? "required" : `default ${JSON.stringify(field.default) ?? "none"}`;
    const option = `--${toFlag(field.name)}${file === undefined ? "" : ` or --${file}`}`;
    const flag = field.name === "data" ? "FILE, standard input or --text" : option;
    lines.push(`  ${field.name} (${type}; ${rest}), on the command line ${flag}`);
    lines.push(...wrap(field.description, width - 6).map((line) => `      ${line}`));
  }
  if (tool.steps !== undefined) {
    lines.push("", style.bold("Steps:"), ...tool.steps.map((step, index) => `  ${index + 1}. ${step.tool}`));
  }
  if (tool.examples.length > 0) lines.push("", style.bold("Examples:"));
  for (const { title, input, result } of tool.examples) {
    lines.push(visibleLine(`  ${title ?? "As it is"}`), `    ${visible(JSON.stringify(input))}`);
    lines.push(...result.split("\n").map((line) => `    ${style.dim("→")} ${visible(line)}`));
  }
  return `${lines.join("\n")}\n`;
}
