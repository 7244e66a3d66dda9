import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { onLine, readLines } from "../../lib/lines.ts";
import { timeUnits } from "../../lib/time/number.ts";
import { convertTime } from "../../lib/time/convert-time.ts";
import { dateOrders } from "../../lib/time/read.ts";
import { joinTimes, timeForms } from "../../lib/time/write.ts";
import { toTimeZone } from "../../lib/time/zone-names.ts";
import { now, nowOf } from "../now.ts";
import { refusing, refusingOption } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe(
      "A number, a date (ISO 8601, HTTP, e-mail, cookie, git, log, LDAP, openssl, JavaScript, Go, Ruby), a time such as 2 days ago, a ULID, a KSUID, a time-based UUID or an ObjectId, or up to 10,000 of them, one per line; now or an empty text is the current time",
    ),
  unit: z
    .enum(["auto", ...timeUnits])
    .default("auto")
    .describe(
      "Unit of a number; auto reads 8, 12 or 14 digits as a date if there is such a day, and otherwise selects s, ms, us, ns or, for 18 digits from 11 to 15, filetime (Windows) by magnitude; ticks are those of .NET, excel counts the days of a spreadsheet, and the snowflakes are ids of Twitter and of Discord",
    ),
  timeZone: z.string().max(100).default("UTC").describe("Zone of the result, and of dates without an offset"),
  to: z.enum(timeForms).default("all").describe("Format of the result; all is JSON with every format"),
  epoch: z.iso
    .datetime({ offset: true })
    .default("1970-01-01T00:00:00Z")
    .describe("Epoch of s, ms, us and ns: 2001-01-01T00:00:00Z for Apple, 1900-01-01T00:00:00Z for NTP"),
  dateOrder: z
    .enum(dateOrders)
    .default("auto")
    .describe("Order of dates such as 3/4/2024; auto reads those with one meaning"),
  now,
});

export default defineTool({
  slug: "timestamp-converter",
  title: "Timestamp converter",
  version: "2.0.0",
  summary: "Convert between Unix time of any unit, ISO 8601, HTTP dates and the times in identifiers.",
  page: {
    tile: "Unix, ISO 8601, HTTP, UUID times",
    layout: "line",
    view: "props",
    tab: "Forms",
    options: ["unit", "timeZone"],
    zones: ["timeZone"],
    hasNow: true,
    labels: { data: "Time", unit: "Unit", timeZone: "Time zone" },
  },
  accepts: "times, one per line",
  aliases:
    "timestamp, epoch, unix time, unix timestamp, epoch converter, date converter, date-time converter, date, date -d, iso 8601, rfc 3339, rfc 2822, rfc 1123, http date, milliseconds since epoch, strtotime, date to timestamp, timestamp to date, snowflake id, twitter snowflake, discord snowflake, uuid time, ulid time, ksuid time, filetime, windows filetime, apache log date, git date, relative time, now, epoch to human, excel date, parse date, human readable date, unix epoch",
  input,
  deterministic: false,
  examples: [
    { input: { data: "1700000000", to: "iso" }, result: "2023-11-14T22:13:20Z" },
    {
      title: "The time in an id of Discord",
      input: { data: "175928847299117063", unit: "discord-snowflake", to: "iso" },
      result: "2016-04-30T11:18:25.796Z",
    },
    {
      title: "Exact nanoseconds, and the other formats",
      input: { data: "1700000000123456789", timeZone: "Europe/Warsaw" },
      result:
        '{\n  "format": "unix-ns",\n  "iso": "2023-11-14T23:13:20.123456789+01:00",\n  "utc": "2023-11-14T22:13:20.123456789Z",\n  "timeZone": "Europe/Warsaw",\n  "offset": "+01:00",\n  "weekday": "Tuesday",\n  "dayOfYear": 318,\n  "isoWeek": "2023-W46",\n  "unix": "1700000000",\n  "unixMs": "1700000000123",\n  "unixUs": "1700000000123456",\n  "unixNs": "1700000000123456789",\n  "rfc7231": "Tue, 14 Nov 2023 22:13:20 GMT",\n  "excel": 45244.96759402\n}',
    },
    {
      title: "Dates of git, a web server and Windows, a relative time, and the time of a ULID",
      input: {
        data: "Wed Nov 15 00:13:20 2023 +0200\n[14/Nov/2023:22:13:20 +0000]\n133444736000000000\n2 days ago\n01HF7YAT00TK1E8QR9H1V6YK6Q",
        to: "unix-ms",
        now: "2023-11-16T22:13:20Z",
      },
      result: "1700000000000\n1700000000000\n1700000000000\n1700000000000\n1700000000000",
    },
  ],
  run({ data, unit, timeZone, to, epoch, dateOrder, ...options }, context) {
    const zone = refusingOption("timeZone", () => toTimeZone(timeZone));
    const origin = Temporal.Instant.from(epoch).epochNanoseconds;
    const read = { unit, epoch: origin, timeZone: zone, dateOrder, now: Math.trunc(nowOf(options, context)) };
    const lines = refusing(data, () => [...readLines(/\S/.test(data) ? data : "now", 10_000)]);
    isolateOver(lines.length, 100, context);
    const convert = (text: string): string => convertTime(text, read, to);
    const times = refusing(data, () => lines.map((line) => onLine(line, convert)));
    return joinTimes(times, to);
  },
});
