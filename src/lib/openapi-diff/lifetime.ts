import { childOf, isTrueAt, type Place, textAt } from "./places.ts";

/** The announced end of an operation or a parameter. */
export interface Lifetime {
  deprecated: boolean;
  /** The text of `x-sunset`, and its place. */
  sunset: Place | undefined;
  /** Epoch milliseconds; undefined without a date, or with one that is none. */
  ends: number | undefined;
}

export function lifetimeOf(place: Place): Lifetime {
  const sunset = childOf(place, "x-sunset");
  const text = textAt(place, "x-sunset");
  // A day, or a time of RFC 3339.
  const isDate = text !== undefined && /^\d{4}-\d\d-\d\d(?:[Tt ][\d:.]+(?:[Zz]|[+-]\d\d:\d\d))?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  return { deprecated: isTrueAt(place, "deprecated"), sunset, ends: Number.isNaN(time) ? undefined : time };
}

/** How something was removed: as announced, before its time, or without a word. */
export function endOf({ deprecated, sunset, ends }: Lifetime, now: number): "announced" | "early" | "sudden" {
  if (!deprecated) return "sudden";
  if (sunset === undefined) return "announced";
  if (ends === undefined) return "sudden";
  return ends <= now ? "announced" : "early";
}
