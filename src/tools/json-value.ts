import { fromJson } from "../lib/data/from-json.ts";
import { jsonLength } from "../lib/data/json-length.ts";
import { checkLength, maxResultLength } from "../lib/data/result-length.ts";
import { toJson } from "../lib/data/to-json.ts";
import { type Dictionary, isDictionary, type Value } from "../lib/data/value.ts";
import { refusingJson } from "./json-dialect.ts";
import { refuse, refusing } from "./refusing.ts";

/** Parses a JSON document from the field `data`, or from `field`. @throws ToolError invalid_document */
export function readValue(text: string, field?: string): Value {
  const remedy = "convert it with data-converter to json from";
  return refusingJson(text, "json", () => fromJson(text), { field, remedy });
}

/** Parses a JSON document that must be an object; `expected` describes it. @throws ToolError invalid_document */
export function readDictionary(text: string, field: string, expected: string): Dictionary {
  const value = readValue(text, field);
  if (isDictionary(value)) return value;
  throw refuse(text, { pointer: "" }, `Expected ${expected}.`, field);
}

/**
 * Writes values one a line, strings without quotes, others as JSON on one line.
 * @throws ToolError invalid_document if the text would be too long.
 */
export function writeLines(values: readonly Value[]): string {
  let length = 0;
  const lines = values.map((value) => {
    const line = typeof value === "string" ? value : writeValue(value, 0);
    length += line.length + 1;
    refusing("", () => checkLength(length));
    return line;
  });
  return lines.join("\n");
}

/** Writes a result as JSON. @throws ToolError invalid_document if the text would be too long. */
export function writeValue(value: Value, indent = 2): string {
  return refusing("", () => {
    // Measured first: a value that shares parts is small in memory, but may be huge as text.
    checkLength(jsonLength(value, indent, maxResultLength));
    return toJson(value, indent);
  });
}
