import { isObject } from "../../../../lib/is-object.ts";
import { Refusal } from "../tab/call.ts";
import type { Tab } from "../tab/tab.ts";
import type { Definition } from "../tools/definition.ts";
import { kindOf } from "../tools/fields.ts";
import type { ToolList } from "../home/tool-list.ts";
import { isNumber, parseJson } from "../lossless-json.ts";
import { maxSteps, type PipelineStep } from "./step.ts";

/** The content of `pipelines/<name>.yaml` (docs/pipelines.md). */
export interface PipelineFile {
  steps: readonly { tool: string; with: Readonly<Record<string, unknown>> }[];
  /** The other members of the file: title, summary, version and examples. */
  more: Readonly<Record<string, unknown>>;
}

/** Largest file that is read, in bytes; a pipeline has 20 steps at most. */
export const maxFileBytes = 1_000_000;

const known = ["title", "summary", "version", "steps", "examples"];

/**
 * Reads a pipeline. YAML is parsed by the tool of the product, in the worker: a file may be hostile.
 * @throws Error that says what is wrong and where.
 */
export async function readPipeline(text: string, tab: Tab, list: ToolList): Promise<PipelineFile> {
  const file = await readYaml(tab, text);
  if (!isRecord(file))
    throw new Error("The file must have the field steps, such as steps: [{tool: json-sorter}].");
  const { steps, ...more } = file;
  for (const name of Object.keys(file))
    if (!known.includes(name))
      throw new Error(`${name} is no field of a pipeline. It may have ${known.join(", ")}.`);
  if (!Array.isArray(steps) || steps.length === 0)
    throw new Error("steps must be a list such as [{tool: json-sorter}].");
  if (steps.length > maxSteps)
    throw new Error(`A pipeline has at most ${maxSteps} steps; this one has ${steps.length}.`);
  return { steps: steps.map((step, index) => toFileStep(step, `steps[${index}]`, list)), more };
}

function toFileStep(step: unknown, place: string, list: ToolList): PipelineFile["steps"][number] {
  if (!isRecord(step)) throw new Error(`${place} must be a map such as {tool: json-sorter}.`);
  const { tool, with: options = {}, ...others } = step;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`${place}.${other} is unknown. A step has tool and with.`);
  if (typeof tool !== "string" || !list.tools.some(({ slug }) => slug === tool))
    throw new Error(`${place}.tool is no tool of this server: ${String(JSON.stringify(tool)).slice(0, 80)}.`);
  if (!isRecord(options)) throw new Error(`${place}.with must be a map with options of ${tool}.`);
  return { tool, with: options };
}

/** Returns options as the form of a tool has them. @throws Error that names the place. */
export function toOptions(
  { input: { properties } }: Definition,
  given: Readonly<Record<string, unknown>>,
  place: string,
): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) && name !== "data" ? properties[name] : undefined;
    if (schema === undefined) {
      const names = Object.keys(properties).filter((one) => one !== "data");
      throw new Error(`${place}.with.${name} is unknown. The tool has the options ${names.join(", ")}.`);
    }
    if (isNumber(value)) options[name] = Number(JSON.stringify(value));
    // A document may be written as YAML; the field holds its text.
    else if (isRecord(value) || (Array.isArray(value) && kindOf(name, schema) === "document"))
      options[name] = JSON.stringify(value, null, 2);
    else options[name] = value;
  }
  return options;
}

/**
 * Returns the text of a file with these steps, as the server and the command line read it.
 * @param isLeftOut Whether an option is not written.
 */
export function writePipeline(
  steps: readonly PipelineStep[],
  more: PipelineFile["more"],
  tab: Tab,
  isLeftOut: (definition: Definition, option: string) => boolean = () => false,
): Promise<string> {
  const { examples, ...head } = more;
  const file = {
    ...head,
    steps: steps.map(({ tool: { definition, options } }) => {
      const given = Object.entries(options.peek()).filter(([name]) => !isLeftOut(definition, name));
      return { tool: definition.slug, ...(given.length > 0 && { with: Object.fromEntries(given) }) };
    }),
    ...(examples !== undefined && { examples }),
  };
  return runTool(tab, "json-to-yaml", JSON.stringify(file));
}

/** @throws Error with the place in its message. */
async function readYaml(tab: Tab, text: string): Promise<unknown> {
  try {
    return parseJson(await runTool(tab, "yaml-to-json", text));
  } catch (error) {
    const [place] = error instanceof Refusal ? error.places : [];
    if (place?.line === undefined) throw error;
    throw new Error(`Line ${place.line}, column ${place.column ?? 1}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function runTool(tab: Tab, slug: string, data: string): Promise<string> {
  const { body } = await tab.run({
    slug,
    form: "bytes",
    check: false,
    body: { kind: "input", input: { data } },
  });
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !isNumber(value);
