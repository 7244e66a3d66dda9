import { findPointers } from "../lib/json/find-pointers.ts";
import { mustBe } from "../lib/must.ts";
import { parseEnvelope, refuseDuplicates } from "./envelope.ts";
import { ToolError } from "./errors.ts";
import type { Answer } from "./execute.ts";
import { invalidField, unknownField } from "./input.ts";
import { originsOf, takeJsonValues } from "./json-values.ts";
import { type FindTool, type Step, toSteps } from "./pipeline.ts";
import { within } from "./step-error.ts";

/** The parsed body of a call of a pipeline; its options are not validated yet. */
export interface PipelineEnvelope {
  /** Undefined if the call has none. */
  data: string | undefined;
  /** Empty for a named pipeline. */
  steps: readonly Step[];
}

/**
 * Reads `{"data": "…", "steps": […]}` or, for a pipeline that has a name, `{"data": "…"}`.
 * @param find Undefined for a named pipeline. `validateSteps` refuses tools that it does not find.
 * @throws ToolError bad_json, invalid_input, unknown_field, with the place.
 */
export async function readEnvelope(bytes: Uint8Array, find: FindTool | undefined): Promise<PipelineEnvelope> {
  const raw = parseEnvelope(bytes);
  const known = find === undefined ? ["data"] : ["data", "steps"];
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new ToolError(
      "invalid_input",
      `The body must be a JSON object with the ${known.length === 1 ? "field data" : "fields data and steps"}.`,
      { errors: [{ message: mustBe("an object", raw), pointer: "" }] },
    );
  }
  const { data, steps } = raw as Record<string, unknown>;
  for (const name of Object.keys(raw)) if (!known.includes(name)) throw unknownField(name, known);
  if (data !== undefined && typeof data !== "string") throw invalidField("data", mustBe("a string", data));
  if (find === undefined) return { data, steps: [] };
  const shaped = toSteps(steps);
  refuseTwice(bytes, steps as readonly object[]);
  const taken: Step[] = [];
  for (const [index, step] of shaped.entries()) taken.push(await takeValues(step, index, bytes, find));
  return { data, steps: taken };
}

/** Returns the answer of a worker that parsed the envelope of a pipeline. */
export const toEnvelopeAnswer = ({ data, steps }: PipelineEnvelope): Answer => ({
  body: data ?? "",
  envelope: { given: data !== undefined, steps },
});

/** Replaces JSON values among the options by their text in the body. */
async function takeValues(step: Step, index: number, bytes: Uint8Array, find: FindTool): Promise<Step> {
  try {
    const tool = await find(step.tool);
    const values = takeJsonValues(tool, step.with, bytes, `/steps/${index}/with`);
    return values === undefined ? step : { ...step, with: values.input, origins: originsOf(values) };
  } catch (error) {
    if (error instanceof ToolError && error.code === "unknown_tool") return step;
    throw error;
  }
}

/** Refuses duplicate fields, as `parseEnvelope` does: JSON.parse keeps the last of two. */
function refuseTwice(bytes: Uint8Array, steps: readonly object[]): void {
  const pointers = steps.flatMap((step, index) =>
    "with" in step ? [`/steps/${index}`, `/steps/${index}/with`] : [`/steps/${index}`],
  );
  for (const [at, offset] of findPointers(bytes, pointers).entries()) {
    const [, , index, part] = pointers[at]?.split("/") ?? [];
    within(Number(index), part === undefined ? "" : `/${part}`, undefined, () =>
      refuseDuplicates(bytes, offset),
    );
  }
}
