import { JsonTextError } from "./json-parts.ts";
import { openJson } from "./read-json.ts";
import type { JqValue } from "./value.ts";

/**
 * Reads one value.
 * @throws JsonTextError also if there is none, or more than one.
 */
export function parseJson(text: string): JqValue {
  const reader = openJson(text);
  const value = reader.next();
  if (value === undefined) throw new JsonTextError("Expected JSON value", text.length);
  if (reader.next() !== undefined) throw new JsonTextError("Unexpected extra JSON values", reader.at);
  return value;
}
