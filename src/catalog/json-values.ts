import { isObject } from "../lib/is-object.ts";
import { findPointers } from "../lib/json/find-pointers.ts";
import { membersOf } from "../lib/json/members.ts";
import { locateAll, type Position } from "../lib/json/position.ts";
import { type ErrorPlace, ToolError } from "./errors.ts";
import { jsonFieldsOf } from "./fields.ts";
import type { Tool } from "./tool.ts";

/** Fields of one call that were given as JSON values, with their places in the body. */
export interface JsonValues {
  /** The fields of the call, with JSON values replaced by their text. */
  input: Record<string, unknown>;
  body: Uint8Array;
  /** JSON Pointer (RFC 6901) of the object with the fields of the call; "" is the body. */
  pointer: string;
  /** Field → offset of its value in the body, in bytes. */
  offsets: ReadonlyMap<string, number>;
}

/**
 * Replaces JSON values by their text. A second document in JSON may be given as text or as the value itself, and the tool
 * gets text in both cases. The text of a value is cut from the body unchanged, which preserves numbers, the order of keys,
 * duplicate keys and escapes. A JSON string is always the text that it contains. Returns undefined if there is no such
 * value.
 * @param raw The result of JSON.parse for the object at `pointer` of the body.
 */
export function takeJsonValues(
  tool: Tool,
  raw: unknown,
  body: Uint8Array,
  pointer = "",
): JsonValues | undefined {
  const kinds = jsonFieldsOf(tool.input);
  if (kinds.size === 0 || typeof raw !== "object" || raw === null) return undefined;
  const names: string[] = [];
  for (const [name, kind] of kinds) {
    if (!Object.hasOwn(raw, name)) continue;
    const value = (raw as Record<string, unknown>)[name];
    if (kind === "any" ? typeof value !== "string" : isObject(value)) names.push(name);
  }
  if (names.length === 0) return undefined;
  const [object = 0] = findPointers(body, [pointer]);
  const input: Record<string, unknown> = { ...raw };
  const offsets = new Map<string, number>();
  for (const { key, from, to } of membersOf(body, object)) {
    if (!names.includes(key)) continue;
    input[key] = decoder.decode(body.subarray(from, to));
    offsets.set(key, from);
  }
  return { input, body, pointer, offsets };
}

const decoder = new TextDecoder();

/** Does work on these fields, and converts places in the text of a value to places in the body. */
export async function pointingIntoBody<T>(values: JsonValues, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ToolError ? toBodyError(error, values.pointer, originsOf(values)) : error;
  }
}

/** The place in the body where a value begins. */
export interface Origin extends Position {
  offset: number;
}

/** Returns the origins by field, for a refusal that may come after the body was freed. */
export function originsOf({ body, offsets }: JsonValues): Record<string, Origin> {
  const positions = locateAll(body, [...offsets.values()]);
  return Object.fromEntries(
    Array.from(offsets, ([name, offset], index) => [name, { ...(positions[index] as Position), offset }]),
  );
}

/** Places the refusal of a document given as a JSON value in the body; returns any other refusal unchanged. */
export function toBodyError(
  error: ToolError,
  pointer: string,
  origins: Readonly<Record<string, Origin>>,
): ToolError {
  const places = error.details.errors;
  const [first] = places ?? [];
  const start = first?.field === undefined ? undefined : origins[first.field];
  if (places === undefined || start === undefined) return error;
  return new ToolError(error.code, error.message, {
    ...error.details,
    errors: places.map((place) => toBodyPlace(place, pointer, origins)),
  });
}

function toBodyPlace(
  place: ErrorPlace,
  pointer: string,
  origins: Readonly<Record<string, Origin>>,
): ErrorPlace {
  const start = place.field === undefined ? undefined : origins[place.field];
  if (place.field === undefined || start === undefined) return place;
  const { line, column, offset, first } = place;
  return {
    ...place,
    pointer: `${pointer}/${place.field}${place.pointer ?? ""}`,
    ...(line !== undefined && column !== undefined && move({ line, column }, start)),
    ...(offset !== undefined && { offset: offset + start.offset }),
    ...(first !== undefined && { first: { ...move(first, start), offset: first.offset + start.offset } }),
  };
}

/** Moves a place in a text to that text's origin `start`; only the columns of the first line change. */
const move = ({ line, column }: Position, start: Position): Position => ({
  line: line + start.line - 1,
  column: line === 1 ? column + start.column - 1 : column,
});
