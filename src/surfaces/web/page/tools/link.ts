import type { Definition, FieldSchema } from "./definition.ts";
import { type FieldKind, kindOf, startOf } from "./fields.ts";
import { givenOptions } from "./given.ts";
import type { ToolState } from "./state.ts";

// A link carries a tool and its options, named as in the API. It carries documents only if a person asks for it, in the
// fragment, which browsers send to no server: the one of the tool, and options that may be one, such as a schema, a second text
// or a list. It never carries a secret.

/** Longest query that is read: browsers and proxies cut longer ones. */
const maxLength = 8192;

/** Most UTF-16 code units of documents that a link carries: what passes on links seldom takes longer ones. */
export const maxLinked = 50_000;

/**
 * Returns a link to the page of a tool with its options and all documents; undefined if there is none, or if they are too
 * long. @param text The document of the tool; empty if there is none.
 */
export function toLinkWithDocuments(state: ToolState, root: URL, text: string): URL | undefined {
  const documents = parametersOf(state, isDocument);
  if (text !== "") documents.unshift(["data", text]);
  const length = documents.reduce((sum, [, value]) => sum + value.length, 0);
  if (documents.length === 0 || length > maxLinked) return undefined;
  const link = toLink(state, root);
  link.hash = new URLSearchParams(documents).toString();
  return link;
}

/** Returns the document of the tool that a link carries; undefined if there is none. */
export function readLinkedDocument({ hash }: URL): string | undefined {
  return new URLSearchParams(hash.slice(1)).get("data")?.slice(0, maxLinked);
}

/** Returns a link to the page of a tool with its options, without any that may be a document. */
export function toLink(state: ToolState, root: URL): URL {
  const link = new URL(`tools/${state.definition.slug}`, root);
  for (const [name, value] of parametersOf(state, isSetting)) link.searchParams.append(name, value);
  if (state.check.value) link.searchParams.set("check", "true");
  return link;
}

const isDocument = (kind: FieldKind): boolean => kind === "document" || kind === "lines";
const isSetting = (kind: FieldKind): boolean => kind !== "secret" && !isDocument(kind);

function parametersOf(
  state: ToolState,
  isWanted: (kind: FieldKind) => boolean,
): [name: string, value: string][] {
  const { definition } = state;
  const { start = {} } = definition.page ?? {};
  // The values that the page would begin with otherwise: the browser that opens the link may be in another time zone.
  const stated = Object.fromEntries(
    Object.keys(startOf(definition)).map((name) => [name, definition.input.properties[name]?.default]),
  );
  return Object.entries({ ...stated, ...givenOptions(state) })
    .filter(([name, value]) => value !== undefined && value !== start[name])
    .filter(([name]) => isWanted(kindOf(name, definition.input.properties[name] ?? {})))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [
        name,
        typeof one === "string" ? one : JSON.stringify(one),
      ]),
    );
}

/** Returns what a link chooses. What is no option of the tool, or has another type, is left out. */
export function readLink(
  { searchParams, search, hash }: URL,
  { input, checkable }: Definition,
): { options: Record<string, unknown>; check: boolean } {
  const options: Record<string, unknown> = {};
  const isShort = search.length <= maxLength;
  // Options of the fragment, which are of whoever made the link too, count instead of those of the query.
  for (const parameters of [
    isShort ? searchParams : new URLSearchParams(),
    new URLSearchParams(hash.slice(1)),
  ])
    for (const name of new Set(parameters.keys())) {
      const schema = Object.hasOwn(input.properties, name) ? input.properties[name] : undefined;
      if (schema === undefined || name === "data" || kindOf(name, schema) === "secret") continue;
      const value = toValue(parameters.getAll(name), schema);
      if (value !== undefined) options[name] = value;
    }
  return { options, check: isShort && checkable && searchParams.get("check") === "true" };
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
