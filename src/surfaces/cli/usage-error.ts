import { ToolError } from "../../catalog/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { visible } from "./visible.ts";

/** A malformed command line: exit status 2. */
export const usageError = (message: string): ToolError => new ToolError("invalid_input", message);

/** An unknown name, with the nearest known one. */
export function unknownName(kind: string, name: string, known: readonly string[], help: string): ToolError {
  const near = nearest(name, known);
  const hint = near === undefined ? `Run ${help} for a list.` : `Did you mean ${near}?`;
  return usageError(`Unknown ${kind} ${visible(name.slice(0, 80))}. ${hint}`);
}
