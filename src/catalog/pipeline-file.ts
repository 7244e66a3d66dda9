import { DocumentFault } from "../lib/fault.ts";
import { isDictionary, type Value } from "../lib/data/value.ts";
import { placesOf } from "../lib/places.ts";
import { findYamlPlaces } from "../lib/yaml/find-places.ts";
import { fromYaml } from "../lib/yaml/from-yaml.ts";
import { loadYaml, type YamlLibrary } from "../lib/yaml/parse.ts";
import type { CatalogTool } from "./catalog.ts";
import { ToolError } from "./errors.ts";
import { invalidField, unknownField } from "./input.ts";
import { type FindTool, validateSteps, type Step, takesDocument, toSteps } from "./pipeline.ts";
import { within } from "./step-error.ts";
import type { Example } from "./tool.ts";
import { toOptionValues, toPlain } from "./yaml-options.ts";
import { withSubject } from "../lib/must.ts";
import { labelForm } from "./label.ts";
import { defined } from "../lib/defined.ts";

/** A pipeline read from a file, validated. */
export interface PipelineFile {
  title?: string;
  summary?: string;
  version?: string;
  steps: readonly Step[];
  /** The tools of the steps, in order. */
  tools: readonly CatalogTool[];
  examples: readonly Example<Record<string, unknown>>[];
}

/**
 * Reads and validates a pipeline in YAML, without running it.
 * @param path The name of the file in messages.
 * @throws ToolError invalid_input, with a message that begins with path, line and column of the first fault.
 */
export async function readPipelineFile(text: string, path: string, find: FindTool): Promise<PipelineFile> {
  const yaml = await loadYaml();
  try {
    return await validatePipeline(parse(yaml, text), find);
  } catch (error) {
    if (error instanceof DocumentFault) throw refused(text, path, error.at.index ?? 0, error.message);
    if (!(error instanceof ToolError)) throw error;
    const pointer = error.details.errors?.[0]?.pointer ?? "";
    const [index = 0] = findYamlPlaces(yaml, text, [pointer]);
    throw refused(text, path, index, error.message);
  }
}

function refused(text: string, path: string, index: number, message: string): ToolError {
  const [{ line, column } = { line: 1, column: 1 }] = placesOf(text, [{ index }]);
  return new ToolError("invalid_input", `${path}:${line}:${column}: ${message}`);
}

function parse(yaml: YamlLibrary, text: string): Value {
  const [document = null, ...more] = fromYaml(yaml, text, { schema: "core", merge: true, keys: "error" });
  if (more.length === 0) return document;
  throw new ToolError(
    "invalid_input",
    "A file holds one pipeline; put the document after --- into a file of its own.",
  );
}

const known = ["title", "summary", "version", "steps", "examples"];

async function validatePipeline(document: Value, find: FindTool): Promise<PipelineFile> {
  if (!isDictionary(document))
    throw new ToolError(
      "invalid_input",
      "The file must have the fields of a pipeline, such as steps: [{tool: json-sorter}].",
    );
  for (const name of document.keys()) if (!known.includes(name)) throw unknownField(name, known);
  const title = toLine(document, "title", 100);
  const summary = toLine(document, "summary", 300);
  const version = toLine(document, "version", 64);
  // The version is sent in a header of each answer.
  if (version !== undefined && !/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version))
    throw invalidField("version", 'Must be a version such as "1.0.0".');
  const steps: Step[] = [];
  for (const [index, step] of toSteps(toPlain(document.get("steps"))).entries())
    steps.push(await within(index, "/tool", undefined, () => takeOptions(step, index, document, find)));
  const tools = await validateSteps(steps, find);
  const examples = toExamples(toPlain(document.get("examples")), takesDocument(tools[0] as CatalogTool));
  return {
    ...defined({ title, summary, version }),
    steps,
    tools,
    examples,
  };
}

function toLine(document: ReadonlyMap<string, Value>, name: string, longest: number): string | undefined {
  const value = document.get(name);
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw invalidField(name, "Must be text; put it in quotes.");
  if (value.trim() !== "" && value.length <= longest && labelForm.test(value)) return value;
  throw invalidField(name, `Must be one line of 1 to ${longest} characters.`);
}

/** Converts the options of a step from YAML; `toSteps` has validated their shape. */
async function takeOptions(
  step: Step,
  index: number,
  document: ReadonlyMap<string, Value>,
  find: FindTool,
): Promise<Step> {
  const tool = await find(step.tool);
  const given = (document.get("steps") as Map<string, Value>[])[index]?.get("with");
  if (given === undefined || !isDictionary(given)) return step;
  return { ...step, with: toOptionValues(tool, given) };
}

function toExamples(raw: unknown, withDocument: boolean): Example<Record<string, unknown>>[] {
  if (raw === undefined) return [];
  const expected = withDocument ? "{input: {data: …}, result: …}" : "{input: {}, result: …}";
  if (!Array.isArray(raw)) throw invalidField("examples", `Must be an array of ${expected}.`);
  return raw.map((example: unknown, index) => {
    const { title, input, result, ...more } = Object(example) as Record<string, unknown>;
    const fields = Object.keys(Object(input) as object);
    const right =
      Object.keys(more).length === 0 &&
      (title === undefined || typeof title === "string") &&
      (withDocument
        ? fields.length === 1 && typeof (input as { data?: unknown }).data === "string"
        : input !== undefined && fields.length === 0);
    if (right && typeof result === "string")
      return { ...defined({ title }), input, result } as Example<Record<string, unknown>>;
    const message = `Must be ${expected}, with text in quotes and an optional title.`;
    throw new ToolError("invalid_input", withSubject(`examples[${index}]`, message), {
      errors: [{ message, pointer: `/examples/${index}` }],
    });
  });
}
