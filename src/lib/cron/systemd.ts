import { DocumentFault } from "../fault.ts";

const shorthands: Readonly<Record<string, string>> = {
  minutely: "*-*-* *:*:00",
  hourly: "*-*-* *:00:00",
  daily: "*-*-* 00:00:00",
  weekly: "Mon *-*-* 00:00:00",
  monthly: "*-*-01 00:00:00",
  quarterly: "*-01,04,07,10-01 00:00:00",
  semiannually: "*-01,07-01 00:00:00",
  yearly: "*-01-01 00:00:00",
  annually: "*-01-01 00:00:00",
};

/** The last day of a month. */
const fromEnd = /^[^~]*[\d*]~0?1(?:\s|$)/;

const form =
  /^(?:([A-Za-z][A-Za-z,.]*) *)?(?:(?:([\d*,./]+)-)?([\d*,./]+)-([\d*,./~]+))?(?:(?:^|\s+)([\d*,./]+):([\d*,./]+)(?::([\d*,./]+))?)?$/;

/**
 * Translates a calendar event of systemd (systemd.time(7), OnCalendar=) to a cron expression with seconds and, if it names
 * one, a year. Days of the week and of the month must then both match.
 * @throws DocumentFault if it is none, or has what cron lacks.
 */
export function fromSystemd(text: string): string {
  const trimmed = text.trim();
  const plain = shorthands[trimmed.toLowerCase()] ?? trimmed;
  if (plain.includes("~") && !fromEnd.test(plain))
    throw new DocumentFault(
      "~ counts from the end of the month; only one day is read here, such as *-*~01, the last day of each month.",
      { index: text.indexOf("~") },
    );
  if (/ (?:UTC|[A-Z][a-z]+\/\w+)$/.test(plain))
    throw new DocumentFault("Set timeZone instead of a time zone in the expression.", {
      index: text.trimEnd().lastIndexOf(" ") + 1,
    });
  const [found, weekdays = "*", year = "*", month = "*", day = "*", hour = "0", minute = "0", second = "0"] =
    form.exec(plain.replace(/~(\d+)/, (_, back: string) => `-~${back}`)) ?? [];
  if (found === undefined || found === "")
    throw new DocumentFault("Expected a calendar event such as Mon..Fri 10:00, *-*-01 04:00:00 or daily.", {
      index: 0,
    });
  const fields = [second, minute, hour, day, month].map(toField);
  if (day.startsWith("~")) fields[3] = "L";
  const days = weekdays.replaceAll("..", "-").replaceAll(/([A-Za-z]{3})[a-z]*/g, "$1");
  return [...fields, days, ...(year === "*" ? [] : [toField(year)])].join(" ");
}

/** 08..17 is 8-17, and 0/15 counts from 0; leading zeros go. */
const toField = (field: string): string =>
  field.replaceAll("..", "-").replaceAll(/\d+/g, (digits) => String(Number(digits)));
