import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { onLine, readLines } from "../../lib/lines.ts";
import { timeUnits } from "../../lib/time/number.ts";
import { readTime } from "../../lib/time/read.ts";
import { joinTimes, timeForms, writeTime } from "../../lib/time/write.ts";
import { isTimeZone } from "../../lib/time/zone.ts";
import { now, nowOf } from "../now.ts";
import { refuse, refusing } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe(
      "A number, an ISO 8601, HTTP, git or log date, a ULID, a time-based UUID or an ObjectId, or up to 10,000 of them, one per line; now or an empty text is the current time",
    ),
  unit: z
    .enum(["auto", ...timeUnits])
    .default("auto")
    .describe(
      "Unit of a number; auto selects s, ms, us, ns or, for 18 digits from 11 to 15, filetime (Windows) by magnitude; ticks are those of .NET, excel counts the days of a spreadsheet",
    ),
  timeZone: z
    .string()
    .max(100)
    .default("UTC")
    .describe("Time zone of the result, and of dates without an offset: an IANA name or an offset"),
  to: z
    .enum(timeForms)
    .default("all")
    .describe("Format of the result; all is a JSON object with every format, or a list of them"),
  epoch: z.iso
    .datetime({ offset: true })
    .default("1970-01-01T00:00:00Z")
    .describe("Epoch of s, ms, us and ns: 2001-01-01T00:00:00Z for Apple, 1900-01-01T00:00:00Z for NTP"),
  now,
});

export default defineTool({
  slug: "timestamp-converter",
  title: "Timestamp converter",
  version: "1.1.0",
  summary: "Convert between Unix time of any unit, ISO 8601, HTTP dates and the times in identifiers.",
  accepts: "times, one per line",
  aliases:
    "timestamp, epoch, unix time, unix timestamp, epoch converter, date converter, date-time converter, date, date -d, iso 8601, rfc 3339, rfc 2822, rfc 1123, http date, milliseconds since epoch, strtotime, date to timestamp, timestamp to date, snowflake id, uuid time, ulid time, filetime, windows filetime, apache log date, git date, relative time, now, epoch to human, excel date, parse date, human readable date, unix epoch",
  input,
  deterministic: false,
  examples: [
    { input: { data: "1700000000", to: "iso" }, result: "2023-11-14T22:13:20Z" },
    {
      title: "Exact nanoseconds, and the other formats",
      input: { data: "1700000000123456789", timeZone: "Europe/Warsaw" },
      result:
        '{\n  "format": "unix-ns",\n  "iso": "2023-11-14T23:13:20.123456789+01:00",\n  "utc": "2023-11-14T22:13:20.123456789Z",\n  "timeZone": "Europe/Warsaw",\n  "offset": "+01:00",\n  "weekday": "Tuesday",\n  "dayOfYear": 318,\n  "isoWeek": "2023-W46",\n  "unix": "1700000000",\n  "unixMs": "1700000000123",\n  "unixUs": "1700000000123456",\n  "unixNs": "1700000000123456789",\n  "rfc7231": "Tue, 14 Nov 2023 22:13:20 GMT",\n  "excel": 45244.96759402\n}',
    },
    {
      title: "The dates of git, of a web server's log and of Windows, and the time of a ULID",
      input: {
        data: "Wed Nov 15 00:13:20 2023 +0200\n[14/Nov/2023:22:13:20 +0000]\n133444736000000000\n01HF7YAT00TK1E8QR9H1V6YK6Q",
        to: "unix-ms",
      },
      result: "1700000000000\n1700000000000\n1700000000000\n1700000000000",
    },
  ],
  run({ data, unit, timeZone, to, epoch, ...options }, context) {
    if (!isTimeZone(timeZone))
      throw invalidField("timeZone", "Must be a time zone such as Europe/Paris or +01:00.");
    const origin = Temporal.Instant.from(epoch).epochNanoseconds;
    const read = { unit, epoch: origin, timeZone, now: Math.trunc(nowOf(options, context)) };
    const lines = refusing(data, () => [...readLines(data, 10_000)]);
    isolateOver(lines.length, 100, context);
    const written = (lines.length === 0 ? [{ text: "now", index: 0 }] : lines).map((line) => {
      const time = refusing(data, () => onLine(line, (text) => readTime(text, read)));
      const result = writeTime(time, to, timeZone, origin);
      if (result !== undefined) return result;
      throw refuse(data, line, `This time cannot be written as ${to}; choose another format.`);
    });
    return joinTimes(written, to);
  },
});
