import { weekdayOf } from "./calendar.ts";

const unit = String.raw`(?<unit>seconds?|secs?|s|minutes?|mins?|hours?|h|days?|d|fortnights?|weeks?|w|months?|years?|y)`;
const step = new RegExp(String.raw`^(?<sign>[+-])? ?(?<count>\d{1,9}|an?) ?${unit}(?:,? (?:and )?|$)`, "i");
const neighbour =
  /^(?<which>next|last) (?<what>second|minute|hour|day|week|fortnight|month|year|[a-z]{3,9})$/i;

/**
 * Reads a time relative to another, as date(1) and strtotime take it: `2 days ago`, `in 3 hours`, `+1 week`, `yesterday`, `next month`, `last
 * friday`. Days without a time are at midnight in the zone of `now`. Returns undefined if the text is none.
 * @throws RangeError if the time is out of the range of Temporal.
 */
export function readRelative(text: string, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const words = text.toLowerCase().trim();
  if (words === "now") return now;
  const days = { yesterday: -1, today: 0, midnight: 0, tomorrow: 1 }[words];
  if (days !== undefined) return now.startOfDay().add({ days });
  if (words === "noon") return now.startOfDay().with({ hour: 12 });
  const beside = neighbour.exec(words)?.groups;
  if (beside !== undefined)
    return readNeighbour(beside["which"] === "next" ? 1 : -1, beside["what"] ?? "", now);
  return readSteps(words, now);
}

function readNeighbour(
  direction: 1 | -1,
  what: string,
  now: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime | undefined {
  const length = lengthOf(what);
  if (length !== undefined) return now.add(scale(length, direction));
  const weekday = weekdayOf(what);
  if (weekday === 0) return undefined;
  const ahead = (weekday - now.dayOfWeek + 7) % 7 || 7;
  return now.startOfDay().add({ days: direction === 1 ? ahead : ahead === 7 ? -7 : ahead - 7 });
}

/** Steps such as `1 day 2 hours ago`; `ago` applies to all of them. */
function readSteps(words: string, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const ago = words.endsWith(" ago");
  let rest = words.replace(/ ago$/, "").replace(/^in /, "");
  // A number with a unit and nothing else, such as 5d, is a duration.
  if (!ago && rest === words && !/^[+-]/.test(words)) return undefined;
  let time = now;
  while (rest !== "") {
    const found = step.exec(rest);
    if (found?.groups === undefined) return undefined;
    const { sign, count = "", unit: name = "" } = found.groups;
    const number = /^an?$/.test(count) ? 1 : Number(count);
    time = time.add(scale(lengthOf(name) ?? {}, number * (sign === "-" ? -1 : 1) * (ago ? -1 : 1)));
    rest = rest.slice(found[0].length);
  }
  return time;
}

type Length = Partial<
  Record<"seconds" | "minutes" | "hours" | "days" | "weeks" | "months" | "years", number>
>;

function lengthOf(name: string): Length | undefined {
  const letters = name.replace(/s$/, "") || "s";
  const lengths: Readonly<Record<string, Length>> = {
    s: { seconds: 1 },
    sec: { seconds: 1 },
    second: { seconds: 1 },
    min: { minutes: 1 },
    minute: { minutes: 1 },
    h: { hours: 1 },
    hour: { hours: 1 },
    d: { days: 1 },
    day: { days: 1 },
    w: { weeks: 1 },
    week: { weeks: 1 },
    fortnight: { weeks: 2 },
    month: { months: 1 },
    y: { years: 1 },
    year: { years: 1 },
  };
  return Object.hasOwn(lengths, letters) ? lengths[letters] : undefined;
}

const scale = (length: Length, by: number): Length =>
  Object.fromEntries(Object.entries(length).map(([name, value]) => [name, value * by]));
