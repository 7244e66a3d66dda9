import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { execute } from "../../../src/catalog/execute.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import { tools } from "../../../src/tools/index.ts";
import { context } from "../tools/run-tool.ts";

// Digests of the output of every tool in outputs.json, so that no output changes unnoticed. `make docs` writes the file; it
// fails if a released version of a tool returns something else.

/** By slug. A digest is listed under the digest of the input. */
export type Outputs = Record<string, { version: string; results: Record<string, string> }>;

/** Documents that are not specific to a tool. Their digests are recorded: append, do not change. */
const documents = [
  "",
  "a",
  "Zażółć 👋\r\n\tb\u00a0\n",
  '{"b":[1.0,12345678901234567890,null,{}],"__proto__":{"2":"x"},"a":"\\u00e9\\/"}',
  "# c\nb: no\na: [012, 1.0]\nd: 2024-01-01\n",
  "a = 1\n[t]\nd = 1979-05-27\nf = inf\n",
  'id,n\r\n007,"a ""b"", c"\r\n',
  "<a x='1'><b>t</b><!-- c --><![CDATA[<]]></a>",
  "# c\nA=1\nexport B='x y' # d\n",
  "192.0.2.1/24",
  "1700000000",
  "https://user@Example.com:8443/a/../b?q=1&q=%C3%A9+#f",
  "0 9 * * 1-5",
  "1.2.3-rc.1",
  "aGVsbG8gd29ybGQ",
  "select a,b from t where x=:id and y in (1,2)",
];

/** The current answers of the tools. A refusal counts by its code: its message may improve. */
export async function takeOutputs(all: readonly Tool[]): Promise<Outputs> {
  const outputs: Outputs = {};
  for (const tool of all) {
    const results: Record<string, string> = {};
    for (const input of inputsOf(tool)) results[digest(JSON.stringify(input))] = await answerOf(tool, input);
    outputs[tool.slug] = { version: tool.version, results };
  }
  return outputs;
}

export function inputsOf({ examples, input }: Tool): Record<string, unknown>[] {
  const [first] = examples;
  const inputs = examples.map((example) => example.input);
  if (first === undefined || !("data" in input.shape)) return inputs;
  return [...inputs, ...documents.map((data) => ({ ...first.input, data }))];
}

async function answerOf(tool: Tool, input: Record<string, unknown>): Promise<string> {
  try {
    const call = {
      slug: tool.slug,
      body: { kind: "input" as const, input },
      form: "bytes" as const,
      check: false,
    };
    return digest((await execute(tool, call, context)).body);
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

const digest = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

/**
 * Objections to writing `now` over `before`, as sentences: a released version never changes its answers, and a new version is in the
 * change log.
 */
export function compareOutputs(before: Outputs, now: Outputs, changelog: string): string[] {
  return Object.entries(before).flatMap(([slug, old]) => {
    const tool = now[slug];
    if (tool === undefined) return [];
    if (tool.version !== old.version) {
      return lineOf(changelog, slug, tool.version) === undefined
        ? [`CHANGELOG.md has no line that names ${slug} and its version ${tool.version}.`]
        : [];
    }
    const changed = Object.entries(old.results).some(([input, result]) => tool.results[input] !== result);
    return changed && isReleased(changelog, slug, old.version)
      ? [`${slug} answers otherwise than its version ${old.version}: raise the version.`]
      : [];
  });
}

/** The first version of a tool has no line: it came with the first release. */
function isReleased(changelog: string, slug: string, version: string): boolean {
  const released = changelog.search(/^## \[?\d/m);
  const line = lineOf(changelog, slug, version);
  return released >= 0 && (line === undefined || line > released);
}

function lineOf(changelog: string, slug: string, version: string): number | undefined {
  const pattern = new RegExp(`^.*\`${slug}\`.*\\b${RegExp.escape(version)}\\b`, "m");
  const at = changelog.search(pattern);
  return at < 0 ? undefined : at;
}

export const file = new URL("outputs.json", import.meta.url);

export const readOutputs = (): Outputs => JSON.parse(readFileSync(file, "utf8")) as Outputs;

export const readChangelog = (): string =>
  readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");

/** In the layout of the formatter, by slug. */
export const toText = (outputs: Outputs): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(outputs).toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;

if (import.meta.main) {
  const now = await takeOutputs(await createCatalog(tools).all());
  const objections = compareOutputs(readOutputs(), now, readChangelog());
  if (objections.length > 0) {
    process.stderr.write(`${objections.join("\n")}\n`);
    process.exitCode = 1;
  } else writeFileSync(file, toText(now));
}
