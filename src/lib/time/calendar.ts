export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const longMonths =
  "january february march april may june july august september october november december".split(" ");

/** Returns the month from 1 to 12 for an English name or its first letters (at least three), otherwise 0. */
export const monthOf = (name: string): number => indexOf(longMonths, name) + 1;

/** Returns the weekday from 1, Monday, to 7 for an English name or its first letters (at least three), otherwise 0. */
export const weekdayOf = (name: string): number => indexOf(weekdays, name) + 1;

function indexOf(names: readonly string[], name: string): number {
  const start = name.toLowerCase();
  return start.length < 3 ? -1 : names.findIndex((one) => one.toLowerCase().startsWith(start));
}

/** Two digits. */
export const pad = (value: string | number): string => String(value).padStart(2, "0");

/**
 * Returns the year of two digits as RFC 7231 §7.1.1.1 reads it: the latest one that is at most 50 years after `now`.
 * @param now Epoch milliseconds.
 */
export function toCentury(short: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((((latest - short) % 100) + 100) % 100);
}
