import { createDayFinder } from "./days.ts";
import type { Interval } from "./interval.ts";
import type { CronExpression } from "./parse.ts";

export interface ScheduleOptions {
  timeZone: string;
  /** Epoch milliseconds; runs are after it. */
  from: number;
  count: number;
  /** Whether day of month and day of week must both match if both restrict the day. */
  bothDays: boolean;
}

/**
 * Returns the next runs in RFC 3339 with the offset of the zone; fewer than `count` if the schedule ends. A
 * single time of day runs after clocks have skipped it, and once if they repeat it; other schedules follow
 * elapsed time.
 */
export function nextRuns(expression: CronExpression, options: ScheduleOptions): string[] {
  const next = createLocalSchedule(expression, options.bothDays);
  const { timeZone, from, count } = options;
  const runs = isSingleTime(expression)
    ? singleRuns(next, timeZone, from)
    : passingRuns(next, timeZone, from);
  return Array.from(runs.take(count), (run) => toText(run, timeZone));
}

/** Returns the next runs of an interval that begins at `from`; fewer than `count` at the end of time. */
export function repeatedRuns(
  { milliseconds }: Interval,
  { timeZone, from, count }: Omit<ScheduleOptions, "bothDays">,
): string[] {
  const times = Array.from({ length: count }, (_, index) => from + (index + 1) * milliseconds);
  return times
    .filter((at) => at <= lastTime)
    .map((at) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
      return toText({ at, offset: zoned.offsetNanoseconds / 1_000_000 }, timeZone);
    });
}

/** The last time of a Date, less a day for the offsets of time zones. */
const lastTime = 8.64e15 - 86_400_000;

const msPerSecond = 1000;
const msPerDay = 86_400_000;

/** Returns the first matching local time at or after another, both as if clocks showed UTC. */
type LocalSchedule = (from: number) => number | undefined;

function createLocalSchedule(expression: CronExpression, bothDays: boolean): LocalSchedule {
  const findDay = createDayFinder(expression, bothDays);
  const valuesOf = (name: string, size: number, missing: number[]): number[] => {
    const field = expression.fields.find((one) => one.name === name);
    if (field === undefined) return missing;
    return field.any ? Array.from({ length: size }, (_, value) => value) : field.values;
  };
  const hours = valuesOf("hour", 24, []);
  const minutes = valuesOf("minute", 60, []);
  const seconds = valuesOf("second", 60, [0]);
  const atLeast = (values: readonly number[], least: number): number | undefined =>
    values.find((value) => value >= least);

  /** Returns the first matching second at or after a given second of the day. */
  function findTime(from: number): number | undefined {
    const [hour, minute, second] = [Math.floor(from / 3600), Math.floor(from / 60) % 60, from % 60];
    const inMinute = atLeast(seconds, second);
    const inHour = atLeast(minutes, inMinute === undefined ? minute + 1 : minute);
    const inDay = atLeast(hours, inHour === undefined ? hour + 1 : hour);
    if (inDay === undefined) return undefined;
    const earliest = inDay > hour || inHour === undefined;
    const at = earliest ? (minutes[0] as number) : inHour;
    const sameMinute = !earliest && at === minute && inMinute !== undefined;
    return inDay * 3600 + at * 60 + (sameMinute ? inMinute : (seconds[0] as number));
  }

  return (from) => {
    const today = Math.floor(from / msPerDay);
    const day = findDay(today);
    if (day === undefined) return undefined;
    const time = findTime(day === today ? Math.ceil((from - today * msPerDay) / msPerSecond) : 0);
    if (time !== undefined) return day * msPerDay + time * msPerSecond;
    const later = findDay(day + 1);
    return later === undefined ? undefined : later * msPerDay + (findTime(0) as number) * msPerSecond;
  };
}

const isSingleTime = ({ fields }: CronExpression): boolean =>
  fields.every(
    ({ name, any, values }) => !["second", "minute", "hour"].includes(name) || (!any && values.length === 1),
  );

interface Run {
  /** Epoch milliseconds. */
  at: number;
  /** Milliseconds by which clocks are ahead of UTC. */
  offset: number;
}

/** Yields the runs of a single time of day, resolved separately on each day. */
function* singleRuns(next: LocalSchedule, timeZone: string, from: number): Generator<Run> {
  let local = from + offsetAt(from, timeZone) - msPerDay;
  for (;;) {
    const found = next(local);
    if (found === undefined) return;
    local = found + msPerSecond;
    const run = resolveSingle(found, timeZone);
    if (run !== undefined && run.at > from) yield run;
  }
}

function resolveSingle(local: number, timeZone: string): Run | undefined {
  const wall = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO("UTC").toPlainDateTime();
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(wall)) return toRun(earlier);
  const gapEnd = earlier.getTimeZoneTransition("next");
  // Nothing runs on a day that clocks skip entirely.
  return gapEnd?.toPlainDate().equals(wall.toPlainDate()) === true ? toRun(gapEnd) : undefined;
}

const toRun = ({ epochMilliseconds, offsetNanoseconds }: Temporal.ZonedDateTime): Run => ({
  at: epochMilliseconds,
  offset: offsetNanoseconds / 1e6,
});

/** Yields runs from one clock change to the next; between two changes, local time is UTC with an offset. */
function* passingRuns(next: LocalSchedule, timeZone: string, from: number): Generator<Run> {
  let at = from + 1;
  for (;;) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    const offset = zoned.offsetNanoseconds / 1e6;
    const change = zoned.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
    let local = next(at + offset);
    for (; local !== undefined && local - offset < change; local = next(local + msPerSecond))
      yield { at: local - offset, offset };
    if (local === undefined) {
      // When clocks go back, the last matching time may occur once more.
      if (change === Infinity || next(change + offset - msPerDay) === undefined) return;
      at = change;
    } else at = Math.max(change, local - offset - 2 * msPerDay);
  }
}

const offsetAt = (at: number, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;

function toText({ at, offset }: Run, timeZone: string): string {
  const local = new Date(at + offset).toISOString().slice(0, -".000Z".length);
  if (timeZone === "UTC") return `${local}Z`;
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const digits = (value: number): string => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}
