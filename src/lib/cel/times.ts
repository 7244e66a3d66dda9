import type * as Cel from "@bufbuild/cel";

/** The parts of a timestamp: `getFullYear` and so on, with or without the name of a time zone. */
const parts: Readonly<Record<string, (local: Date) => number>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) => Math.floor((local.getTime() - new Date(local).setUTCMonth(0, 1)) / 86_400_000),
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

/**
 * Returns the functions of timestamps. Those of the library go through the time zone of the machine, whose clock skips an hour once a
 * year.
 */
export function createTimeFunctions(library: typeof Cel): Cel.CelFunc[] {
  const found: Cel.CelFunc[] = [];
  for (const func of library.celEnv().funcs) {
    const part = parts[func.name];
    const { target } = func;
    if (part === undefined || target?.name !== "google.protobuf.Timestamp") continue;
    const method = function (this: unknown, zone?: string): bigint {
      const { seconds, nanos } = (this as { message: { seconds: bigint; nanos: number } }).message;
      const utc = Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
      return BigInt(part(new Date(utc + offsetOf(zone, utc))));
    };
    found.push(library.celMethod(func.name, target, func.arguments, func.result, method as never));
  }
  return found;
}

/** Returns what a zone, such as `Europe/Berlin` or `-02:30`, adds to a time in UTC, in milliseconds. */
function offsetOf(zone: string | undefined, utc: number): number {
  if (zone === undefined || zone === "UTC") return 0;
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours !== undefined) return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = Object.fromEntries(
    formatOf(zone)
      .formatToParts(utc)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<"year" | "month" | "day" | "hour" | "minute" | "second", number>;
  const { year, month, day, hour, minute, second } = local;
  const asUtc = new Date(0);
  asUtc.setUTCFullYear(year, month - 1, day);
  return asUtc.setUTCHours(hour, minute, second) - Math.floor(utc / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    const two = "2-digit";
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    if (formats.size >= maxZones) formats.clear();
    formats.set(zone, format);
  }
  return format;
}

/** Most time zones that are kept; one takes 50 KB. */
const maxZones = 50;
