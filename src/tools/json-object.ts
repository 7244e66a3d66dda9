import { withoutMark } from "../lib/json/byte-order-mark.ts";
import { toDocumentFault } from "../lib/json/problem.ts";
import { DocumentFault } from "../lib/fault.ts";
import { loneSurrogateError } from "../lib/json/refusals.ts";
import { validateJson } from "../lib/json/validate.ts";
import { refusing } from "./refusing.ts";

/**
 * Parses a JSON object with unique keys. `__proto__` is a key like any other.
 * @param field The field that holds the text, unless it is `data`.
 * @throws ToolError invalid_document with the place of the fault in the text.
 */
export function parseJsonObject(text: string, field?: string): Record<string, unknown> {
  const bytes = Buffer.from(text);
  return refusing(
    text,
    () => {
      if (!text.isWellFormed()) throw loneSurrogateError(text);
      const [problem] = validateJson(bytes, { duplicateKeys: "error", maxDepth: 100 });
      if (problem !== undefined) throw toDocumentFault(problem);
      const value: unknown = JSON.parse(withoutMark(text));
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
      throw new DocumentFault("Expected an object, {…}.", { offset: 0 });
    },
    field,
  );
}
