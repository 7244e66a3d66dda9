import { DocumentFault } from "../fault.ts";
import { pad } from "./calendar.ts";
import { maxTimeLength } from "./read.ts";
import { ambiguousTime, type Disambiguation, resolveLocal } from "./zone.ts";

/**
 * Converts a local time of zone `from` to RFC 9557 text in zone `to`. A time with Z is an instant, whatever
 * `from` is.
 * @throws DocumentFault if it is not a time, has an offset that clocks in `from` do not show then, or is
 * ambiguous.
 */
export function convertZone(text: string, from: string, to: string, disambiguation: Disambiguation): string {
  if (text.length > maxTimeLength)
    throw new DocumentFault(`A time can have at most ${maxTimeLength} characters.`, { index: 0 });
  if (text.includes("["))
    throw new DocumentFault("Remove the zone in brackets; from sets it.", { index: text.indexOf("[") });
  return toZone(with24Hours(text), from, to, disambiguation);
}

/** Rewrites 3:00 PM, which Temporal does not read, as 15:00. */
const with24Hours = (text: string): string =>
  text.replace(
    /([Tt ])(0?[1-9]|1[0-2])(:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)? ?([AaPp])\.?[Mm]\.?$/,
    (_, before: string, hour: string, rest: string | undefined, half: string) =>
      `${before}${pad((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0))}${rest ?? ":00"}`,
  );

function toZone(text: string, from: string, to: string, disambiguation: Disambiguation): string {
  try {
    if (/[Tt ].*[Zz]$/.test(text)) return Temporal.Instant.from(text).toZonedDateTimeISO(to).toString();
    if (/[Tt ].*[+-]\d{2}(?::?\d{2}){0,2}$/.test(text)) {
      const zoned = Temporal.Instant.from(text).toZonedDateTimeISO(from);
      // The offset must be the one that clocks show.
      if (!Temporal.PlainDateTime.from(text).equals(zoned.toPlainDateTime()))
        throw new DocumentFault(
          `Clocks in ${from} are at ${zoned.offset} then; correct the offset or remove it.`,
          { index: 0 },
        );
      return zoned.withTimeZone(to).toString();
    }
    return resolveLocal(Temporal.PlainDateTime.from(text), from, disambiguation).withTimeZone(to).toString();
  } catch (error) {
    if (error instanceof DocumentFault && error.rule === ambiguousTime)
      throw new DocumentFault(`${error.message} Set disambiguation.`, { index: 0 });
    if (!(error instanceof RangeError)) throw error;
    throw new DocumentFault("Expected a date and time that exist, such as 2026-01-31T12:00.", { index: 0 });
  }
}
