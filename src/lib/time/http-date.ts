import { unlessFault } from "../fault.ts";
import { months, pad, weekdays } from "./calendar.ts";
import { readDate } from "./read-date.ts";

/**
 * Reads an HTTP date (RFC 9110 §5.6.7) as nanoseconds since 1970; undefined if the text is none, or has the weekday of another date.
 * @param now Epoch milliseconds; years of two digits are near to it.
 */
export function readHttpDate(text: string, now: number): bigint | undefined {
  const options = { unit: "auto", epoch: 0n, timeZone: "UTC", dateOrder: "auto", now } as const;
  const date = unlessFault(() => readDate(text, options));
  return date?.format === "rfc7231" ? date.nanoseconds : undefined;
}

/** Returns an IMF-fixdate (RFC 9110 §5.6.7), or undefined if the year does not have four digits. */
export function toHttpDate(nanoseconds: bigint): string | undefined {
  const local = new Temporal.Instant(nanoseconds).toZonedDateTimeISO("UTC");
  const { year, month, day, dayOfWeek } = local;
  if (year < 0 || year > 9999) return undefined;
  const date = `${pad(day)} ${months[month - 1]} ${String(year).padStart(4, "0")}`;
  const time = [local.hour, local.minute, local.second].map(pad).join(":");
  return `${weekdays[dayOfWeek - 1]?.slice(0, 3)}, ${date} ${time} GMT`;
}
