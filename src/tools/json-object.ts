import { JsonError } from "../lib/json/problem.ts";
import { refuseAt, refusingJson } from "./refusal.ts";
import { loneSurrogateError } from "../lib/json/refusals.ts";
import { validateJson } from "../lib/json/validate.ts";

/**
 * A JSON object with unique keys, of `field` where that is not `data`, parsed. A key `__proto__` is a key like any other.
 * @throws ToolError invalid_document with the place, in that text, of what is wrong.
 */
export function parseJsonObject(text: string, field?: string): Record<string, unknown> {
  const bytes = Buffer.from(text);
  return refusingJson(() => {
    if (!text.isWellFormed()) throw loneSurrogateError(text);
    const [problem] = validateJson(bytes, { duplicateKeys: "error", maxDepth: 100 });
    if (problem !== undefined) throw new JsonError(problem);
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    throw refuseAt(bytes, 0, "Expected an object, {…}.", field);
  }, field);
}
