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

/**
 * Returns the nanoseconds since 1970 of a local time with an offset, the name of a zone, or neither: then it is in `timeZone`.
 * @throws DocumentFault if the time does not exist, or clocks of the zone skip or repeat it.
 */
export function resolveTime(local: string, zone: string, timeZone: string): bigint {
  // POSIX time counts a leap second (RFC 3339 §5.7) as the following second.
  const leap = /^(.{10,13}T\d{2}:\d{2}:)60(.*)$/.exec(local);
  if (leap !== null) return resolveTime(`${leap[1]}59${leap[2]}`, zone, timeZone) + 1_000_000_000n;
  try {
    if (/^[Z+-]/.test(zone)) return Temporal.Instant.from(local + zone).epochNanoseconds;
    const plain = Temporal.PlainDateTime.from(local);
    return resolveLocal(plain, zone === "" ? timeZone : zone, "reject").epochNanoseconds;
  } catch (error) {
    if (error instanceof DocumentFault && error.rule === ambiguousTime)
      throw new DocumentFault(`${error.message} Add the offset.`, { index: 0 });
    if (!(error instanceof RangeError)) throw error;
    throw new DocumentFault("This time of the day, or its offset, does not exist.", { index: 0 });
  }
}
