import { load } from "../load.ts";
import type { CronField } from "./field.ts";
import type { CronExpression } from "./parse.ts";

export interface ScheduleOptions {
  timeZone: string;
  /** Epoch milliseconds; runs are after it. */
  from: number;
  count: number;
  /** Whether day of month and day of week must both match, where both say something. */
  bothDays: boolean;
}

/**
 * The next runs, in RFC 3339 with the offset of the zone; fewer than asked for where the schedule ends.
 * A single time of day that clocks skip runs when they have skipped it, one that they show twice runs once; what runs
 * every so often goes by the time that passes.
 */
export async function nextRuns(expression: CronExpression, options: ScheduleOptions): Promise<string[]> {
  const { Cron } = await load("croner");
  const { timeZone, from, count, bothDays } = options;
  const cron = new Cron(toCroner(expression), { timezone: timeZone, mode: "7-part", domAndDow: bothDays });
  return cron.nextRuns(count, new Date(from)).map((date) => toText(date, timeZone));
}

/** Each field as the values that we have understood, so that nothing is understood twice. */
function toCroner({ fields }: CronExpression): string {
  const text = (name: string, missing: string): string => {
    const field = fields.find((one) => one.name === name);
    return field === undefined ? missing : fieldText(field);
  };
  return [
    text("second", "0"),
    text("minute", "*"),
    text("hour", "*"),
    text("day of month", "*"),
    text("month", "*"),
    text("day of week", "*"),
    text("year", "*"),
  ].join(" ");
}

const fieldText = ({ any, values, special }: CronField): string =>
  any ? "*" : [...values, ...special].join(",");

function toText(date: Date, timeZone: string): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(date.getTime());
  return timeZone === "UTC" ? instant.toString() : instant.toString({ timeZone });
}
