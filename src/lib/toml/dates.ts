import { DocumentFault } from "../fault.ts";
import type { Literal } from "../data/value.ts";
import { isDay } from "../time/day.ts";
import type { Cursor } from "./cursor.ts";

const shape =
  /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(^|[Tt ])(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?$/;

/**
 * Returns the date or time in a word, with capital `T` and `Z` and with seconds, or undefined if the word
 * does not look like one.
 */
export function readDate(cursor: Cursor, raw: string, index: number): Literal | undefined {
  const parts = shape.exec(raw);
  if (parts === null) return undefined;
  const [, year, month = "", day = "", separator, hour, minute, second, fraction = "", offset] = parts;
  const date = year === undefined ? "" : `${year}-${month}-${day}`;
  // A time stands alone or after a date, and an offset needs a date.
  if ((date !== "") === (separator === "") && hour !== undefined) return undefined;
  if (date === "" && (hour === undefined || offset !== undefined)) return undefined;
  if (date !== "" && !isDay(Number(year), Number(month), Number(day))) {
    cursor.report(new DocumentFault(`The date ${date} does not exist.`, { index }, "invalid-date"));
  }
  if (hour === undefined) return { kind: "local-date", text: date };
  if (second === undefined && cursor.version === "1.0") {
    throw new DocumentFault(
      `${raw} has no seconds, which TOML 1.0 requires; write ${raw.slice(0, raw.indexOf(":") + 3)}:00.`,
      {
        index,
      },
    );
  }
  if (!isTime(Number(hour), Number(minute), Number(second ?? 0)) || !isOffset(offset)) {
    cursor.report(
      new DocumentFault(`The time ${raw.slice(0, 40)} does not exist.`, { index }, "invalid-date"),
    );
  }
  const time = `${hour}:${minute}:${second ?? "00"}${fraction}`;
  if (date === "") return { kind: "local-time", text: time };
  if (offset === undefined) return { kind: "local-datetime", text: `${date}T${time}` };
  return { kind: "datetime", text: `${date}T${time}${offset.toUpperCase()}` };
}

/** RFC 3339 §5.7 allows second 60 for leap seconds. */
export const isTime = (hour: number, minute: number, second: number): boolean =>
  hour <= 23 && minute <= 59 && second <= 60;

/** Reports whether the offset is `Z`, `+hh:mm`, or absent. */
export function isOffset(offset: string | undefined): boolean {
  if (offset === undefined || offset.length === 1) return true;
  return Number(offset.slice(1, 3)) <= 23 && Number(offset.slice(4)) <= 59;
}
