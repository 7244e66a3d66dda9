import { invalidField } from "../catalog/input.ts";
import { parseJsonObject } from "./json-object.ts";

/** Reads `headers`, a JSON object, by lower-case name; a header that came more than once has its values joined. */
export function toHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(parseJsonObject(text, "headers"))) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (typeof one !== "string" && typeof one !== "number")
        throw invalidField("headers", "Expected a text, or a list of texts, for every header.");
      const before = headers.get(name.toLowerCase());
      headers.set(name.toLowerCase(), before === undefined ? String(one) : `${before}, ${one}`);
    }
  }
  return headers;
}
