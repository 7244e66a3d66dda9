import { DocumentFault } from "../fault.ts";

/** Reports whether the name is a time zone (IANA) or an offset such as +05:30. */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    // Temporal would also accept a whole date and use its zone.
    return /^[\w+\-/:]+$/.test(name) && !/^\d{4}/.test(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The rule of the fault that `resolveLocal` throws. */
export const ambiguousTime = "ambiguous-time";

export type Disambiguation = "compatible" | "earlier" | "later" | "reject";

/**
 * Returns the instant at which clocks of a zone show a local time.
 * @throws DocumentFault of the rule `ambiguousTime` if a clock change skips or repeats that time, and `reject` is set.
 */
export function resolveLocal(
  local: Temporal.PlainDateTime,
  timeZone: string,
  disambiguation: Disambiguation,
): Temporal.ZonedDateTime {
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (disambiguation !== "reject") return local.toZonedDateTime(timeZone, { disambiguation });
  const later = local.toZonedDateTime(timeZone, { disambiguation: "later" });
  if (earlier.epochNanoseconds === later.epochNanoseconds) return earlier;
  const skipped = !earlier.toPlainDateTime().equals(local);
  throw new DocumentFault(
    skipped
      ? `Clocks in ${timeZone} skip this time when they go forward.`
      : `Clocks in ${timeZone} show this time twice, at ${earlier.offset} and at ${later.offset}.`,
    {},
    ambiguousTime,
  );
}
