import { toJson } from "../lib/data/to-json.ts";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../lib/data/value.ts";
import { jsonFieldsOf } from "./fields.ts";
import type { Tool } from "./tool.ts";

/** Converts the options of a tool from YAML. Documents among them become JSON text, with numbers as written. */
export function toOptionValues({ input }: Pick<Tool, "input">, given: Dictionary): Record<string, unknown> {
  const texts = Array.from(jsonFieldsOf(input)).flatMap(([name, kind]): [string, string][] => {
    const value = given.get(name);
    if (value === undefined || !(kind === "any" ? typeof value !== "string" : isDictionary(value))) return [];
    return [[name, toJson(value, 0)]];
  });
  return { ...(toPlain(given) as Record<string, unknown>), ...Object.fromEntries(texts) };
}

/** Converts to plain values, as JSON.parse returns them. `__proto__` is a key like any other. */
export function toPlain(value: Value | undefined): unknown {
  if (value === undefined || value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(toPlain);
  if (isLiteral(value))
    return value.kind === "number" || value.kind === "nonfinite" ? Number(value.text) : value.text;
  return Object.fromEntries(Array.from(value, ([key, member]) => [key, toPlain(member)]));
}
