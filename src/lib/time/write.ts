import { weekdays } from "./calendar.ts";
import { toHttpDate } from "./http-date.ts";
import { toExcel, toNumberText } from "./number.ts";
import type { ReadTime } from "./read.ts";

export const timeForms = [
  "all",
  "iso",
  "unix",
  "unix-ms",
  "unix-us",
  "unix-ns",
  "ticks",
  "filetime",
  "rfc7231",
  "excel",
] as const;

/** Writes a time in one format, or all of them as JSON; undefined if the format cannot represent it. */
export function writeTime(
  { format, nanoseconds, otherwise }: ReadTime,
  to: (typeof timeForms)[number],
  timeZone: string,
  epoch: bigint,
): string | undefined {
  const instant = new Temporal.Instant(nanoseconds);
  const zoned = instant.toZonedDateTimeISO(timeZone);
  const unix = (unit: "s" | "ms" | "us" | "ns" | "ticks"): string => toNumberText(nanoseconds, unit, epoch);
  const iso = timeZone === "UTC" ? instant.toString() : zoned.toString({ timeZoneName: "never" });
  const excel = toExcel(zoned.toPlainDateTime());
  switch (to) {
    case "iso":
      return iso;
    case "unix":
      return unix("s");
    case "unix-ms":
      return unix("ms");
    case "unix-us":
      return unix("us");
    case "unix-ns":
      return unix("ns");
    case "ticks":
      return unix("ticks");
    case "filetime":
      return toNumberText(nanoseconds, "filetime", epoch);
    case "rfc7231":
      return toHttpDate(nanoseconds);
    case "excel":
      return excel === undefined ? undefined : String(excel);
    case "all":
      return JSON.stringify(
        {
          format,
          iso,
          utc: instant.toString(),
          timeZone,
          offset: zoned.offset,
          weekday: weekdays[zoned.dayOfWeek - 1],
          dayOfYear: zoned.dayOfYear,
          isoWeek: toIsoWeek(zoned.toPlainDate()),
          // Written as text, because nanoseconds exceed JavaScript's exact numbers.
          unix: unix("s"),
          unixMs: unix("ms"),
          unixUs: unix("us"),
          unixNs: unix("ns"),
          rfc7231: toHttpDate(nanoseconds) ?? null,
          excel: excel ?? null,
          ...(otherwise !== undefined && {
            otherwise: {
              format: otherwise.format,
              utc: new Temporal.Instant(otherwise.nanoseconds).toString(),
            },
          }),
        },
        null,
        2,
      );
  }
}

/** Joins the written times of a list: as a JSON list if each is an object, otherwise one per line. */
export function joinTimes(written: readonly string[], to: (typeof timeForms)[number]): string {
  if (written.length === 1 || to !== "all") return written.join("\n");
  return `[\n${written.map((one) => one.replaceAll(/^/gm, "  ")).join(",\n")}\n]`;
}

/** ISO 8601 §5.2.3: years beyond four digits have a sign and six digits. */
function toIsoWeek({ yearOfWeek = 0, weekOfYear = 0 }: Temporal.PlainDate): string {
  const expanded = yearOfWeek < 0 || yearOfWeek > 9999;
  const digits = String(Math.abs(yearOfWeek)).padStart(expanded ? 6 : 4, "0");
  const sign = yearOfWeek < 0 ? "-" : "+";
  return `${expanded ? sign : ""}${digits}-W${String(weekOfYear).padStart(2, "0")}`;
}
