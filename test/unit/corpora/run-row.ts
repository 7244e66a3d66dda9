import { readdirSync } from "node:fs";
import { errorCodes, ToolError } from "../../../src/catalog/errors.ts";
import { type Answer, type Call as ToolCall, execute } from "../../../src/catalog/execute.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import type { Row } from "./corpus.ts";
import type { Outcome } from "./expect.ts";
import type { Call } from "./mapping.ts";
import { context } from "../tools/run-tool.ts";

export type Isolate = (call: ToolCall) => Promise<Answer>;

/** Runs the call of a row, and the tool that reads its result back where the adapter asks for it. */
export async function runRow(row: Row, { mapping, input }: Call, isolate?: Isolate): Promise<Outcome> {
  const bytes = row.input["bodyBase64"];
  try {
    const body: ToolCall["body"] =
      typeof bytes === "string"
        ? await toRaw(mapping, Buffer.from(bytes, "base64"))
        : { kind: "input", input };
    let text = await runTool(mapping.tool, body, isolate);
    const reading = mapping.readBack?.(text, row);
    if (reading !== undefined) text = await runTool(reading.tool, { kind: "input", input: reading.input });
    return toOutcome(text, row, mapping);
  } catch (error) {
    if (!(error instanceof ToolError)) return { kind: "bug", message: String((error as Error).stack) };
    // A field that the tool does not have is a fault of the adapter; a deadline or the like is ours. Neither is a refusal of the document.
    if (error.code === "unknown_field" || errorCodes[error.code].status >= 500)
      return { kind: "bug", message: `${error.code}: ${error.message}` };
    const refusal = { kind: "refusal" as const, message: error.message };
    return mapping.verdict === "answer" ? { ...refusal, verdict: false } : refusal;
  }
}

function toOutcome(text: string, row: Row, { answer, verdict }: Call["mapping"]): Outcome {
  if (verdict === "answer") return { kind: "answer", text, verdict: true };
  if (verdict === "report") {
    const { valid } = JSON.parse(text) as { valid: boolean };
    return { kind: "answer", text, verdict: valid };
  }
  return { kind: "answer", text: answer === undefined ? text : answer(text, row) };
}

async function runTool(slug: string, body: ToolCall["body"], isolate?: Isolate): Promise<string> {
  const call: ToolCall = { slug, body, form: "text", check: false };
  const answer = await (isolate?.(call) ?? execute(await toolOf(slug), call, context));
  return typeof answer.body === "string" ? answer.body : Buffer.from(answer.body).toString();
}

/** The raw body, as bytes for tools that take bytes. */
async function toRaw(mapping: Call["mapping"], bytes: Uint8Array): Promise<ToolCall["body"]> {
  const text = (await toolOf(mapping.tool)).runBytes === undefined;
  return { kind: "raw", bytes, text, options: toOptions(mapping.with) };
}

const toOptions = (options: Record<string, unknown> = {}): [string, string][] =>
  Object.entries(options).map(([name, value]) => [name, String(value)]);

/** Loads the tool from the file that its slug names; another test checks that the catalogue lists it. */
async function toolOf(slug: string): Promise<Tool> {
  const category = categories.get(slug);
  if (category === undefined) throw new Error(`The adapter names ${slug}, which is not a tool`);
  const { default: tool } = (await import(`../../../src/tools/${category}/${slug}.ts`)) as { default: Tool };
  return tool;
}

const tools = new URL("../../../src/tools/", import.meta.url);
const categories = new Map(
  readdirSync(tools, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(new URL(name, tools)).map((file) => [file.slice(0, -3), name])),
);
