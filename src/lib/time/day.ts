export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Reports whether the day exists in the Gregorian calendar, which RFC 3339 extends back to year 0. */
export function isDay(year: number, month: number, day: number): boolean {
  const days = month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

/** Reports whether the text is an existing day in the notation of RFC 3339 §5.6 (`full-date`). */
export function isFullDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year !== undefined && isDay(Number(year), Number(month), Number(day));
}
