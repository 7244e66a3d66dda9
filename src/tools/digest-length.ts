import { invalidField } from "../catalog/input.ts";

/** The length of a digest that has none of its own. @throws ToolError invalid_input for another length of one that has. */
export function digestLength({
  algorithm,
  outputLength,
}: {
  algorithm: string;
  outputLength?: number | undefined;
}): { outputLength?: number } {
  // A digest of n bits has a collision resistance of n/2: these lengths reach the full strength of each function.
  if (algorithm === "shake128" || algorithm === "shake256")
    return { outputLength: outputLength ?? (algorithm === "shake128" ? 32 : 64) };
  if (outputLength === undefined) return {};
  throw invalidField("outputLength", `${algorithm} has a digest of one length only; leave this field out.`);
}
