import { countMembers, tooMany } from "../lib/count-values.ts";
import { duplicateKey } from "../lib/json/duplicates.ts";
import { firstJsonError } from "../lib/json/first-error.ts";
import { membersOf } from "../lib/json/members.ts";
import { placesOf } from "../lib/places.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { ToolError } from "./errors.ts";
import { toText } from "./text.ts";

/**
 * Most values in a body. A few megabytes of `{},{},…` take fifty times their size in memory, and neither a deadline nor
 * ending the thread interrupts JSON.parse: near the limit of the heap it collects garbage for twenty seconds.
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
  // JSON.parse keeps the last of two equal fields, but the caller may have meant the first.
  if (typeof value === "object" && value !== null && members > Object.keys(value).length) {
    refuseDuplicates(bytes, bytes.indexOf(0x7b));
  }
  return value;
}

/**
 * Refuses a duplicate key in the object that begins at a byte of a valid body. Duplicates inside a field are left to the
 * tool.
 */
export function refuseDuplicates(bytes: Uint8Array, object: number): void {
  const keys = new Map<string, number>();
  for (const { key, keyFrom: offset } of membersOf(bytes, object)) {
    const first = keys.get(key);
    if (first === undefined) keys.set(key, offset);
    else {
      const [here, earlier] = placesOf(bytes, [{ offset }, { offset: first }]);
      const message = duplicateKey(key);
      throw new ToolError("invalid_input", `A field is given twice. ${message}`, {
        errors: [
          { message, pointer: toPointer([key.slice(0, 64)]), ...here, ...(earlier && { first: earlier }) },
        ],
      });
    }
  }
}

function parse(text: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const problem = firstJsonError(bytes);
    const message = problem?.message ?? "The request body is not JSON.";
    const place = problem && { line: problem.line, column: problem.column, offset: problem.offset };
    throw new ToolError("bad_json", `The request body is not JSON: ${message}`, {
      errors: [{ message, pointer: problem?.pointer ?? "", ...place }],
    });
  }
}
