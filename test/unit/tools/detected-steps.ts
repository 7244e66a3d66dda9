import { rankTools, type RankedTool } from "../../../src/tools/rank-detected.ts";
import { context } from "./run-tool.ts";

export const call = context.call as NonNullable<typeof context.call>;
export const rank = (input: Uint8Array | string): Promise<RankedTool[]> =>
  rankTools(Buffer.from(input), 10, call);
export const pathsOf = (ranked: readonly RankedTool[]): string[] =>
  ranked.map(({ steps }) => steps.map(({ tool }) => tool).join(" > "));

/** Runs the steps of an entry as a pipeline, and returns why one refuses. */
export async function refusalOf(
  input: Uint8Array,
  { field, part, steps }: RankedTool,
): Promise<string | undefined> {
  let data =
    part === null ? Buffer.from(input) : Buffer.from(input).subarray(part.offset, part.offset + part.length);
  try {
    for (const [index, step] of steps.entries()) {
      const given = index === 0 && field !== "data" && field !== null;
      const result = given
        ? await call(step.tool, undefined, { ...step.with, [field]: data.toString() })
        : await call(step.tool, data, { ...step.with });
      data = Buffer.from(result);
    }
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** Runs every step that is offered for the inputs and needs nothing else. */
export async function runSteps(
  inputs: readonly (readonly [string, string])[],
): Promise<{ refused: string[]; steps: number }> {
  const refused: string[] = [];
  let steps = 0;
  for (const [name, text] of inputs) {
    const input = Buffer.from(text);
    for (const entry of await rank(input)) {
      if (entry.field === null || entry.needs.length > 0) continue;
      steps++;
      const refusal = await refusalOf(input, entry);
      if (refusal !== undefined) refused.push(`${name}: ${pathsOf([entry])[0]}: ${refusal}`);
    }
  }
  return { refused, steps };
}
