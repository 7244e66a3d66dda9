import { isObject } from "../lib/is-object.ts";
import type { CatalogTool } from "./catalog.ts";
import { ToolError } from "./errors.ts";
import { invalidField, parseInput, unknownField } from "./input.ts";
import type { Origin } from "./json-values.ts";
import { within } from "./step-error.ts";
import type { Tool } from "./tool.ts";
import { mustBe } from "../lib/must.ts";

/** One tool of a pipeline with its options; structured-cloneable. */
export interface Step {
  tool: string;
  /** The fields of the tool without its document. */
  with: Readonly<Record<string, unknown>>;
  /** The places in the body of fields that were JSON values there. */
  origins?: Readonly<Record<string, Origin>>;
}

export const maxSteps = 20;

/** Finds the tool of a step. @throws ToolError unknown_tool, synchronously or as a rejection. */
export type FindTool = (slug: string) => CatalogTool | Promise<CatalogTool>;

export const takesDocument = (tool: Tool): boolean => "data" in tool.input.shape;

/**
 * Validates the shape of the steps, but not their tools and options.
 * @throws ToolError invalid_input, unknown_field, with pointers relative to the object with the field `steps`.
 */
export function toSteps(raw: unknown): Step[] {
  if (raw === undefined) throw invalidField("steps", "Is required.");
  if (!Array.isArray(raw))
    throw invalidField("steps", 'Must be an array such as [{"tool": "json-formatter"}].');
  if (raw.length === 0) throw invalidField("steps", "Must have at least one step.");
  if (raw.length > maxSteps) {
    const message = `A pipeline has at most ${maxSteps} steps, got ${raw.length}; send the rest in another call.`;
    const errors = [{ message, pointer: "/steps" }];
    throw new ToolError("invalid_input", `steps: ${message}`, { errors, limit: maxSteps });
  }
  return raw.map((step: unknown, index) => within(index, "", undefined, () => toStep(step)));
}

const known = ["tool", "with"];

function toStep(raw: unknown): Step {
  if (!isObject(raw)) {
    const message = 'A step must be an object such as {"tool": "json-formatter", "with": {"indent": 4}}.';
    throw new ToolError("invalid_input", message, { errors: [{ message, pointer: "" }] });
  }
  for (const name of Object.keys(raw)) if (!known.includes(name)) throw unknownField(name, known);
  if (raw.tool === undefined) throw invalidField("tool", "Is required.");
  if (typeof raw.tool !== "string") throw invalidField("tool", mustBe("the slug of a tool", raw.tool));
  const options = raw.with ?? {};
  if (!isObject(options) || raw.with === null)
    throw invalidField("with", 'Must be an object with the options of the tool, such as {"indent": 4}.');
  return { tool: raw.tool, with: options };
}

/**
 * Validates every step before any of them runs, and loads their tools.
 * @throws ToolError unknown_tool, unknown_field, invalid_input, with pointers like those of `toSteps`.
 */
export async function validateSteps(steps: readonly Step[], find: FindTool): Promise<CatalogTool[]> {
  const tools: CatalogTool[] = [];
  // One after the other, so that the first fault in the order of the steps is reported.
  for (const [index, step] of steps.entries()) tools.push(await validateStep(step, index, find));
  return tools;
}

async function validateStep(step: Step, index: number, find: FindTool): Promise<CatalogTool> {
  const tool = await within(index, "/tool", undefined, () => find(step.tool));
  within(index, "/tool", undefined, () => {
    if (tool.steps !== undefined) throw pipelineAsStep(step.tool);
    if (index > 0 && !takesDocument(tool)) {
      const message = `${step.tool} takes no document, so it can only be the first step.`;
      throw new ToolError("invalid_input", message, { errors: [{ message, pointer: "" }] });
    }
  });
  within(index, "/with", step.tool, () => validateOptions(tool, step.with));
  return tool;
}

/** Pipelines in pipelines could contain themselves and would run more steps than were counted. */
export function pipelineAsStep(slug: string): ToolError {
  const message = `${slug} is a pipeline, but a step must be a tool; put the steps of ${slug} in its place.`;
  return new ToolError("invalid_input", message, { errors: [{ message, pointer: "" }] });
}

function validateOptions(tool: CatalogTool, options: Step["with"]): void {
  if (Object.hasOwn(options, "data")) {
    throw invalidField(
      "data",
      "A step reads the result of the previous step, and the first step reads the data of the call; leave this field out.",
    );
  }
  const names = Object.keys(tool.input.shape).filter((name) => name !== "data");
  for (const name of Object.keys(options)) if (!names.includes(name)) throw unknownField(name, names);
  // The document is not known yet; its limits are checked when the step runs.
  parseInput(tool, takesDocument(tool) ? { ...options, data: "" } : options);
}
