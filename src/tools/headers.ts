import { toPointer } from "../lib/json/pointer.ts";
import { parseJsonObject } from "./json-object.ts";
import { refuse } from "./refusing.ts";

/**
 * Parses the field `headers`: a JSON object, or lines as an HTTP message has them (RFC 9112 §5). Returns values by lower-case name; repeated
 * headers are joined.
 */
export function toHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  if (!/^\s*\{/.test(text) && text.trim() !== "") return fromLines(text);
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

function fromLines(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  let index = 0;
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*?)[ \t]*\r?$/.exec(line) ?? [];
    if (name !== undefined) {
      const before = headers.get(name.toLowerCase());
      headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
      // A request or status line may precede them.
    } else if (line.trim() !== "" && !/^(?:[A-Z]+ \S+ )?HTTP\/[\d.]+/.test(line))
      throw refuse(
        text,
        { index },
        "Expected a JSON object, or a header on each line, such as Name: value.",
        "headers",
      );
    index += line.length + 1;
  }
  return headers;
}
