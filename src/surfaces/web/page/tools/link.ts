import type { Definition, FieldSchema } from "./definition.ts";
import { kindOf } from "./fields.ts";
import type { ToolState } from "./state.ts";

// A link carries a tool and its options, named as in the API. It carries the document only if a person asks for it, in the
// fragment, which browsers send to no server. It never carries a secret.

/** Longest query that is read: browsers and proxies cut longer ones. */
const longest = 8192;

/** Longest document, in UTF-16 code units, that a link carries: what passes on links seldom takes longer ones. */
export const longestLinked = 50_000;

/** Returns a link to the page of a tool with its options and the document. */
export function toLinkWithDocument(state: ToolState, root: URL, text: string): URL {
  const link = toLink(state, root);
  link.hash = new URLSearchParams({ data: text }).toString();
  return link;
}

/** Returns the document that a link carries; undefined if there is none. */
export function readLinkedDocument({ hash }: URL): string | undefined {
  return new URLSearchParams(hash.slice(1)).get("data")?.slice(0, longestLinked);
}

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
