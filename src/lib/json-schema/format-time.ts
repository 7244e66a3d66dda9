/** `full-date` of RFC 3339 §5.6. */
export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const at = Number(month);
  return at >= 1 && at <= 12 && Number(day) >= 1 && Number(day) <= daysIn(Number(year), at);
}

/** `full-time`, with an offset. Second 60 is valid only at the end of a UTC day. */
export function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (found === null) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 5, 6].map((at) =>
    Number(found[at] ?? 0),
  ) as [number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === "-" ? -1 : 1);
  const ofDay = (hour * 60 + minute - offset + 2880) % 1440;
  return ofDay === 1439;
}

/** `date-time`. */
export function isDateTime(text: string): boolean {
  return /^.{10}t/is.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const times = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const days = "\\d+D";
const months = `\\d+M(?:${days})?`;
const years = `\\d+Y(?:${months})?`;
const duration = new RegExp(`^P(?:\\d+W|(?:${days}|${months}|${years})(?:${times})?|${times})$`);

/** RFC 3339, appendix A: units in order, with none skipped between two. */
export const isDuration = (text: string): boolean => duration.test(text);

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
