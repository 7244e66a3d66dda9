import { checkLength } from "../data/result-length.ts";
import { toJson } from "../data/to-json.ts";
import { isList, type Value } from "../data/value.ts";

/**
 * Writes newline-delimited JSON: a line for each item of a list, or one for any other value, without a final
 * line end.
 */
export function writeNdjson(value: Value): string {
  let out = "";
  for (const [index, item] of (isList(value) ? value : [value]).entries()) {
    out += index === 0 ? toJson(item, 0) : `\n${toJson(item, 0)}`;
    checkLength(out.length);
  }
  return out;
}
