import { toPointer } from "../lib/json/pointer.ts";
import { parseJsonObject } from "./json-object.ts";
import { refuse } from "./refusing.ts";

/** Parses the field `headers`, a JSON object. Returns values by lower-case name; repeated headers are joined. */
export function toHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(parseJsonObject(text, "headers"))) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, one] of values.entries()) {
      if (typeof one !== "string" && typeof one !== "number")
        throw refuse(
          text,
          { pointer: toPointer(Array.isArray(value) ? [name, index] : [name]) },
          "The value of a header must be a string, or an array of strings.",
          "headers",
        );
      const before = headers.get(name.toLowerCase());
      headers.set(name.toLowerCase(), before === undefined ? String(one) : `${before}, ${one}`);
    }
  }
  return headers;
}
