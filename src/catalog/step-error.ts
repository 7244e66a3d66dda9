import { type ErrorDetails, type ErrorPlace, ToolError } from "./errors.ts";
import { toBodyError } from "./json-values.ts";
import type { Step } from "./pipeline.ts";

/**
 * Does work for a part of a step. Its refusals name the number of the step, and their pointers become pointers of the
 * call; `at` is the pointer of the part in the step.
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
 * Converts the refusal of a step that ran. A fault of its options is at `/steps/<n>/with/<field>`, a fault of its document
 * at `/steps/<n>`, or at `/steps/<n>/data/…` if it concerns one value. Line, column and offset remain those of the step's
 * document, or are those of the body for an option that was a JSON value there.
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

/** Returns the index of the step that refused; undefined for a refusal of the whole call. */
export function stepOf({ details }: ToolError): number | undefined {
  const [, index] = /^\/steps\/(\d+)(?:\/|$)/.exec(details.errors?.[0]?.pointer ?? "") ?? [];
  return index === undefined ? undefined : Number(index);
}
