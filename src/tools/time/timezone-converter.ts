import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { convertZone } from "../../lib/time/convert-zone.ts";
import { toTimeZone } from "../../lib/time/zone-names.ts";
import { refusing, refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "timezone-converter",
  title: "Timezone converter",
  version: "1.1.0",
  summary: "Convert a date and time from one time zone to another (RFC 9557).",
  page: {
    title: "Time zone converter",
    tile: "One time in many zones",
    layout: "line",
    view: "props",
    options: ["from", "to"],
    zones: ["from", "to"],
    hasNow: true,
    start: { to: "UTC" },
    labels: { data: "Date and time", from: "From zone", to: "To zone" },
  },
  accepts: "a date and time",
  aliases:
    "time zone, timezone, iso 8601 offset, utc to local, convert time zone, pst to cet, est to utc, gmt, utc offset, world clock, meeting time, dst, daylight saving time, tz database, iana time zone, what time is it in, local time, tzdata",
  input: z.object({
    data: z
      .string()
      .max(200)
      .describe(
        "The date and time, such as 2026-03-29T02:30 or 2026-03-29 2:30 AM; an offset must be one that from uses at that time",
      ),
    from: z
      .string()
      .max(100)
      .describe(
        "Time zone of data: an IANA name such as Europe/Paris, an offset, or an abbreviation such as PST, which is an offset too",
      ),
    to: z.string().max(100).describe("Time zone of the result"),
    disambiguation: z
      .enum(["compatible", "earlier", "later", "reject"])
      .default("reject")
      .describe(
        "Handling of a time that clocks skip or show twice: refuse it, or use the earlier or later time; compatible behaves like Temporal",
      ),
  }),
  examples: [
    {
      input: { data: "2026-01-15T09:00", from: "America/New_York", to: "Asia/Kolkata" },
      result: "2026-01-15T19:30:00+05:30[Asia/Kolkata]",
    },
    {
      title: "From Pacific Standard Time to Central European Time",
      input: { data: "2026-01-15 3:00 PM", from: "PST", to: "CET" },
      result: "2026-01-16T00:00:00+01:00[CET]",
    },
    {
      title: "A time that occurs twice, when clocks go back",
      input: { data: "2026-10-25T02:30", from: "Europe/Berlin", to: "UTC", disambiguation: "later" },
      result: "2026-10-25T01:30:00+00:00[UTC]",
    },
  ],
  run({ data, from, to, disambiguation }) {
    const [source, target] = [
      refusingOption("from", () => toTimeZone(from)),
      refusingOption("to", () => toTimeZone(to)),
    ] as const;
    return refusing(data, () => convertZone(data.trim(), source, target, disambiguation));
  },
});
