import type { Definition, FieldSchema } from "./definition.ts";
import { kindOf } from "./fields.ts";
import type { ToolState } from "./state.ts";

// A link carries a tool and its options, named as in the API. Never a document, and never a secret.

/** Longest query that is read: browsers and proxies cut longer ones. */
const longest = 8192;

/** Returns a link to the page of a tool with its options. */
export function toLink({ definition, options, check }: ToolState, root: URL): URL {
  const link = new URL(`tools/${definition.slug}`, root);
  for (const [name, value] of Object.entries(options.value)) {
    if (kindOf(name, definition.input.properties[name] ?? {}) === "secret") continue;
    for (const one of Array.isArray(value) ? value : [value])
      link.searchParams.append(name, typeof one === "string" ? one : JSON.stringify(one));
  }
  if (check.value) link.searchParams.set("check", "true");
  return link;
}

/** Returns what a link chooses. What is no option of the tool, or has another type, is left out. */
export function readLink(
  { searchParams, search }: URL,
  { input, checkable }: Definition,
): { options: Record<string, unknown>; check: boolean } {
  const options: Record<string, unknown> = {};
  if (search.length > longest) return { options, check: false };
  for (const name of new Set(searchParams.keys())) {
    const schema = Object.hasOwn(input.properties, name) ? input.properties[name] : undefined;
    if (schema === undefined || name === "data" || kindOf(name, schema) === "secret") continue;
    const value = toValue(searchParams.getAll(name), schema);
    if (value !== undefined) options[name] = value;
  }
  return { options, check: checkable && searchParams.get("check") === "true" };
}

function toValue(texts: readonly string[], schema: FieldSchema): unknown {
  const isAllowed = (text: string, values: readonly string[] | undefined): boolean =>
    values === undefined || values.includes(text);
  if (schema.type === "array")
    return texts.every((text) => isAllowed(text, schema.items?.enum)) ? texts : undefined;
  const [text = ""] = texts;
  if (texts.length > 1 || !isAllowed(text, schema.enum)) return undefined;
  if (schema.type === "boolean") return { true: true, false: false }[text];
  if (schema.type === "integer" || schema.type === "number") {
    const isNumber = /^-?\d+(?:\.\d+)?$/.test(text) && (schema.type === "number" || !text.includes("."));
    return isNumber ? Number(text) : undefined;
  }
  return text;
}
