import { findPointers } from "../lib/json/find-pointers.ts";
import { membersOf } from "../lib/json/members.ts";
import { locateAll, type Position } from "../lib/json/position.ts";
import { type ErrorPlace, ToolError } from "./errors.ts";
import { jsonFieldsOf } from "./fields.ts";
import type { Tool } from "./tool.ts";

/** Fields of one call that were given as JSON values, and where these lie. */
export interface JsonValues {
  /** The fields of the call, the values among them replaced by their text. */
  input: Record<string, unknown>;
  body: Uint8Array;
  /** RFC 6901: the object with the fields of the call; "" is the body. */
  pointer: string;
  /** Field → the byte of the body that its value begins with. */
  offsets: ReadonlyMap<string, number>;
}

/**
 * A second document that is JSON may be given as text or as the value itself. The tool gets text in either case: that
 * of a value is cut out of the body as it stands there, so that numbers, the order of keys, keys that come twice and
 * escapes are the caller's. A JSON string is always the text that it holds. Undefined where there is no such value.
 * @param raw What JSON.parse made of the object at `pointer` of the body.
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

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Waits for work on these fields; what it finds wrong with the text of a value is placed in the body. */
export async function pointingIntoBody<T>(values: JsonValues, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ToolError ? toBodyError(error, values.pointer, originsOf(values)) : error;
  }
}

/** Where in the body a value begins. */
export interface Origin extends Position {
  offset: number;
}

/** By field; for a refusal that comes when the body may be gone. */
export function originsOf({ body, offsets }: JsonValues): Record<string, Origin> {
  const positions = locateAll(body, [...offsets.values()]);
  return Object.fromEntries(
    Array.from(offsets, ([name, offset], index) => [name, { ...(positions[index] as Position), offset }]),
  );
}

/** The refusal of a document that was a JSON value, with its place in the body; any other stays as it is. */
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

/** The place of a text that begins at `start`; the first line alone has something before it. */
const move = ({ line, column }: Position, start: Position): Position => ({
  line: line + start.line - 1,
  column: line === 1 ? column + start.column - 1 : column,
});
