import { raise } from "./fault.ts";
import type { Meter } from "./meter.ts";
import type { Natives } from "./natives.ts";
import { formatTime } from "./time-format.ts";
import { parseTime } from "./time-parse.ts";
import { type BrokenTime, fromSeconds, toSeconds } from "./time.ts";
import { doubleOf, isArray, isNumber, type JqValue } from "./value.ts";

/** Builtins on dates, in UTC: the time zone of a server is nobody's. */
export const timeNatives: Natives = {
  "now/0": (_, __, machine) => machine.world.now(),
  "mktime/0": (value) => {
    if (!isArray(value)) return raise("mktime requires array inputs");
    const seconds = toSeconds(brokenTime(value, "mktime"));
    return Number.isFinite(seconds) ? Math.floor(seconds) : raise("invalid gmtime representation");
  },
  "gmtime/0": (value) => brokenDown(value, "gmtime"),
  "localtime/0": (value) => brokenDown(value, "localtime"),
  "strftime/1": (value, [format], { meter }) => write(value, format as JqValue, "strftime/1", meter),
  "strflocaltime/1": (value, [format], { meter }) =>
    write(value, format as JqValue, "strflocaltime/1", meter),
  "strptime/1": (value, [format]) => {
    if (typeof value !== "string") return raise("strptime/1 requires string inputs and arguments");
    if (typeof format !== "string") return raise("strptime/1 requires string inputs and arguments");
    const parsed = parseTime(value, format);
    if (parsed === undefined)
      return raise(`date ${JSON.stringify(value)} does not match format ${JSON.stringify(format)}`);
    return toList(parsed);
  },
};

const toList = ({ year, month, day, hour, minute, second, weekday, yearDay }: BrokenTime): number[] => [
  year,
  month,
  day,
  hour,
  minute,
  second,
  weekday,
  yearDay,
];

function brokenDown(value: JqValue, name: string): JqValue {
  if (!isNumber(value)) return raise(`${name}() requires numeric inputs`);
  const time = fromSeconds(doubleOf(value));
  return time === undefined
    ? raise("error converting number of seconds since epoch to datetime")
    : toList(time);
}

/** Reads the list that `gmtime` gives; what is missing at its end is zero. @throws JqError */
function brokenTime(value: JqValue, name: string): BrokenTime {
  const list = isArray(value) ? value : [];
  const complete = list.length > 0 && list.every((item) => isNumber(item));
  if (!complete) return raise(`${name} requires parsed datetime inputs`);
  const [year = 0, month = 0, day = 1, hour = 0, minute = 0, second = 0, weekday = 0, yearDay = 0] = (
    list as number[]
  ).map((item) => Math.trunc(doubleOf(item)));
  return { year, month, day, hour, minute, second, weekday, yearDay };
}

function write(value: JqValue, format: JqValue, name: string, meter: Meter): JqValue {
  if (!isNumber(value) && !isArray(value)) return raise(`${name} requires parsed datetime inputs`);
  if (typeof format !== "string") return raise(`${name} requires a string format`);
  let time: BrokenTime | undefined;
  if (isNumber(value)) time = fromSeconds(doubleOf(value));
  else time = brokenTime(value, name);
  if (time === undefined) return raise("error converting number of seconds since epoch to datetime");
  return formatTime(time, format, meter);
}
