import { fromJson } from "../lib/data/from-json.ts";
import { jsonLength } from "../lib/data/json-length.ts";
import { checkLength, maxResultLength } from "../lib/data/result-length.ts";
import { toJson } from "../lib/data/to-json.ts";
import { type Dictionary, isDictionary, type Value } from "../lib/data/value.ts";
import { refuse, refusing } from "./refusing.ts";

/** Reads a JSON document, of `field` where that is not `data`. @throws ToolError invalid_document */
export function readValue(text: string, field?: string): Value {
  return refusing(text, () => fromJson(text), field);
}

/** Reads a JSON document that has to be an object, `expected` in words. @throws ToolError invalid_document */
export function readDictionary(text: string, field: string, expected: string): Dictionary {
  const value = readValue(text, field);
  if (isDictionary(value)) return value;
  throw refuse(text, { pointer: "" }, `Expected ${expected}.`, field);
}

/** The JSON text of a result. @throws ToolError invalid_document where it grows beyond all measure. */
export function writeValue(value: Value, indent = 2): string {
  return refusing("", () => {
    // Measured first: a value whose parts are the same in many places is small until it is written.
    checkLength(jsonLength(value, indent, maxResultLength));
    return toJson(value, indent);
  });
}
