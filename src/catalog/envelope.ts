import { countMembers, tooMany } from "../lib/count-values.ts";
import { firstJsonError } from "../lib/json/first-error.ts";
import { validateJson } from "../lib/json/validate.ts";
import { ToolError } from "./errors.ts";
import { toText } from "./text.ts";

/**
 * A few megabytes of `{},{},…` unfold in memory to fifty times their size, and JSON.parse can be interrupted
 * neither by a deadline nor by the end of its thread: near the limit of the heap it collects garbage for
 * twenty seconds. So it never sees such a body.
 */
const maxValues = 100_000;

/**
 * Parses the body of a JSON call.
 * @throws ToolError bad_json with line, column and offset.
 */
export function parseEnvelope(bytes: Uint8Array): unknown {
  const members = countMembers(bytes, maxValues);
  if (members === tooMany) {
    const message = `The body has more than ${maxValues} values. Send each document as text, {"data": "…"}, and not as a JSON value.`;
    throw new ToolError("invalid_input", message, { limit: maxValues });
  }
  const text = toText(bytes, "bad_json", "The request body");
  const value = parse(text, bytes);
  // JSON.parse keeps the last of two equal fields: which of them a caller meant is not ours to choose.
  if (typeof value === "object" && value !== null && members > Object.keys(value).length) {
    refuseDuplicates(bytes);
  }
  return value;
}

function refuseDuplicates(bytes: Uint8Array): void {
  const found = validateJson(bytes, { duplicateKeys: "error", maxDepth: 1_000_000 });
  const twice = found.find(({ rule, pointer }) => rule === "duplicate-key" && /^\/[^/]*$/.test(pointer));
  if (twice === undefined) return;
  const { message, line, column, offset, pointer } = twice;
  throw new ToolError("invalid_input", `A field is given twice. ${message}`, {
    errors: [{ message, pointer, line, column, offset }],
  });
}

function parse(text: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const problem = firstJsonError(bytes);
    const message = problem?.message ?? "The request body is not JSON.";
    const place = problem && { line: problem.line, column: problem.column, offset: problem.offset };
    const where = problem ? ` (line ${problem.line}, column ${problem.column})` : "";
    throw new ToolError("bad_json", `The request body is not JSON${where}: ${message}`, {
      errors: [{ message, pointer: problem?.pointer ?? "", ...place }],
    });
  }
}
