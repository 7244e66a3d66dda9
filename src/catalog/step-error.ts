import { type ErrorDetails, type ErrorPlace, ToolError } from "./errors.ts";
import { toBodyError } from "./json-values.ts";
import type { Step } from "./pipeline.ts";

/**
 * Does a part of what a step asks for. What it refuses is told with the number of the step, and pointers are made those
 * of the call: `at` is where in the step the part is.
 */
export function within<T>(index: number, at: string, slug: string | undefined, work: () => T): T {
  const move = (error: unknown): unknown =>
    error instanceof ToolError
      ? named(error, index, slug, ({ pointer = "" }) => `/steps/${index}${at}${pointer}`)
      : error;
  try {
    const value = work();
    if (!(value instanceof Promise)) return value;
    return value.catch((error: unknown) => {
      throw move(error);
    }) as T;
  } catch (error) {
    throw move(error);
  }
}

/**
 * The refusal of a step that ran. A fault of its options is placed at `/steps/<n>/with/<field>`, a fault of its document
 * at `/steps/<n>`, or at `/steps/<n>/data/…` where it is that of one value; line, column and offset stay those of the
 * document that the step was given, or are those of the body for an option that was a JSON value in it.
 */
export function toStepError(error: ToolError, index: number, { tool, origins = {} }: Step): ToolError {
  const placed = toBodyError(error, `/steps/${index}/with`, origins);
  return named(placed, index, tool, (place) =>
    place.field !== undefined && Object.hasOwn(origins, place.field)
      ? (place.pointer ?? "")
      : `/steps/${index}${placeInStep(error, place)}`,
  );
}

function placeInStep({ code }: ToolError, { pointer = "", field }: ErrorPlace): string {
  if (field !== undefined) return `/with/${field}${pointer}`;
  if (pointer === "") return "";
  const isOption = (code === "invalid_input" || code === "unknown_field") && !/^\/data(?:\/|$)/.test(pointer);
  if (isOption) return `/with${pointer}`;
  return code === "invalid_document" ? `/data${pointer}` : pointer;
}

function named(
  { code, message, details }: ToolError,
  index: number,
  slug: string | undefined,
  toPointer: (place: ErrorPlace) => string,
): ToolError {
  const places: readonly ErrorPlace[] = details.errors ?? [{ message }];
  const errors = places.map((place) => ({ ...place, pointer: toPointer(place) }));
  const step = `Step ${index + 1}${slug === undefined ? "" : ` (${slug})`}`;
  return new ToolError(code, `${step}: ${message}`, { ...details, errors } satisfies ErrorDetails);
}

/** Which step a refusal is of, from 0; undefined where it is one of the whole call. */
export function stepOf({ details }: ToolError): number | undefined {
  const [, index] = /^\/steps\/(\d+)(?:\/|$)/.exec(details.errors?.[0]?.pointer ?? "") ?? [];
  return index === undefined ? undefined : Number(index);
}
