import { ToolError } from "../../catalog/errors.ts";
import { nearest } from "../../catalog/nearest.ts";
import { visible } from "./visible.ts";

/** A line that cannot be carried out as it was typed: exit status 2. */
export const usageError = (message: string): ToolError => new ToolError("invalid_input", message);

/** A name that is not known, with the nearest one that is. */
export function unknownName(kind: string, name: string, known: readonly string[], help: string): ToolError {
  const near = nearest(name, known);
  const hint = near === undefined ? `${help} lists them all.` : `Did you mean ${near}?`;
  return usageError(`Unknown ${kind} ${visible(name.slice(0, 80))}. ${hint}`);
}
