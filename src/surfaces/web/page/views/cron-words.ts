export const day = 86_400_000;

/** Returns the values of a field in words: "9 to 17", "Monday to Friday". */
export const toValues = (values = ""): string =>
  values === "*"
    ? "every"
    : values
        .split(",")
        .map((part) =>
          part
            .replace(/^(\w+)-(\w+)$/, "$1 to $2")
            .replace(
              /\b[A-Z]{3}\b/g,
              (name) => names.find((one) => one.toUpperCase().startsWith(name)) ?? name,
            ),
        )
        .join(", ");

const names = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Returns an instant in a zone: the day by its name if it is near, and the time without seconds that are none. */
export function toMoment(run: string, zone: string): string {
  const time = instantOf(run);
  const dayOf = (at: number): string =>
    format(new Date(at).toISOString(), zone, { year: "numeric", month: "numeric", day: "numeric" });
  const hasSeconds = time % 60_000 !== 0;
  const clock: Intl.DateTimeFormatOptions = {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(hasSeconds && { second: "2-digit" }),
  };
  if (Number.isNaN(time)) return run;
  const near = [0, 1].find((days) => dayOf(time) === dayOf(Date.now() + days * day));
  if (near !== undefined) return `${near === 0 ? "Today" : "Tomorrow"}, ${format(run, zone, clock)}`;
  return format(run, zone, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    ...clock,
  });
}

/** Returns the epoch milliseconds of a run, which may name its zone (RFC 9557). */
export const instantOf = (run: string): number => Date.parse(run.replace(/\[.*\]$/, ""));

export function format(run: string, zone: string, options: Intl.DateTimeFormatOptions): string {
  const time = instantOf(run);
  if (Number.isNaN(time)) return run;
  try {
    return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }).format(time);
  } catch {
    // A zone that the browser does not know, such as an offset of seconds.
    return run;
  }
}
