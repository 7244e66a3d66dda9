import { toDocumentFault } from "../lib/json/problem.ts";
import { DocumentFault } from "../lib/fault.ts";
import { loneSurrogateError } from "../lib/json/refusals.ts";
import { validateJson } from "../lib/json/validate.ts";
import { refusing } from "./refusing.ts";

/**
 * A JSON object with unique keys, of `field` where that is not `data`, parsed. A key `__proto__` is a key like any other.
 * @throws ToolError invalid_document with the place, in that text, of what is wrong.
 */
export function parseJsonObject(text: string, field?: string): Record<string, unknown> {
  const bytes = Buffer.from(text);
  return refusing(
    text,
    () => {
      if (!text.isWellFormed()) throw loneSurrogateError(text);
      const [problem] = validateJson(bytes, { duplicateKeys: "error", maxDepth: 100 });
      if (problem !== undefined) throw toDocumentFault(problem);
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
      throw new DocumentFault("Expected an object, {…}.", { offset: 0 });
    },
    field,
  );
}
