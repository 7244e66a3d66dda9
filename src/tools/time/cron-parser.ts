import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { planSchedule, scheduleDialects } from "../../lib/cron/plan.ts";
import { isTimeZone } from "../../lib/time/zone.ts";
import { now, nowOf } from "../now.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .max(1000)
    .describe(
      "The expression, a nickname such as @daily, an interval (@every 1h30m or rate(5 minutes)), or a line of a crontab with its command and CRON_TZ=",
    ),
  dialect: z
    .enum(scheduleDialects)
    .default("unix")
    .describe(
      "Dialect: unix counts days of the week from 0 (Sunday) and also accepts L, W and #; quartz and aws count from 1 (Sunday) and require a ?; systemd is OnCalendar",
    ),
  seconds: z.boolean().default(false).describe("Expect a leading field of seconds; for unix only"),
  days: z
    .enum(["or", "and"])
    .default("or")
    .describe(
      "Combination of day of month and day of week if both are restricted; cron uses or, although Vixie cron treats */2 like *",
    ),
  timeZone: z
    .string()
    .max(100)
    .default("UTC")
    .describe("Time zone of the schedule: an IANA name or an offset"),
  count: z.int().min(1).max(1000).default(5).describe("Maximum number of runs to list"),
  from: now.describe("Time (RFC 3339) after which runs are listed; defaults to now"),
  now,
  clock: z.enum(["12h", "24h"]).default("12h").describe("Clock format of the description"),
  verbose: z.boolean().default(false).describe("Name every hour and day in the description"),
});

export default defineTool({
  slug: "cron-parser",
  title: "Cron parser",
  version: "1.3.0",
  summary: "Describe a cron expression in words, with the values of its fields and its next runs.",
  page: {
    tile: "In words, with the next runs",
    layout: "line",
    view: "cron",
    options: ["dialect", "timeZone", "count"],
    zones: ["timeZone"],
    start: { clock: "24h" },
    labels: { data: "Cron line", count: "Runs", timeZone: "Time zone" },
  },
  accepts: "a cron expression",
  aliases:
    "cron, crontab, crontab.guru, cron expression, cron schedule, cron explain, next run, crontab generator, when does cron run, quartz, scheduled job, cronjob, aws schedule expression, cron to english, cron description, github actions schedule, @daily, systemd timer, oncalendar",
  input,
  deterministic: false,
  examples: [
    {
      input: { data: "*/20 9-17 * * MON-FRI", from: "2026-01-02T17:10:00Z", count: 3 },
      result:
        '{\n  "expression": "*/20 9-17 * * MON-FRI",\n  "dialect": "unix",\n  "description": "Every 20 minutes, between 09:00 AM and 05:59 PM, Monday through Friday",\n  "timeZone": "UTC",\n  "fields": [\n    {\n      "field": "minute",\n      "expression": "*/20",\n      "values": "0,20,40"\n    },\n    {\n      "field": "hour",\n      "expression": "9-17",\n      "values": "9-17"\n    },\n    {\n      "field": "day of month",\n      "expression": "*",\n      "values": "*"\n    },\n    {\n      "field": "month",\n      "expression": "*",\n      "values": "*"\n    },\n    {\n      "field": "day of week",\n      "expression": "MON-FRI",\n      "values": "MON-FRI"\n    }\n  ],\n  "runs": [\n    "2026-01-02T17:20:00Z",\n    "2026-01-02T17:40:00Z",\n    "2026-01-05T09:00:00Z"\n  ]\n}',
    },
    {
      title: "A Quartz expression whose time is skipped by a clock change",
      input: {
        data: "0 30 2 29 3 ?",
        dialect: "quartz",
        timeZone: "Europe/Berlin",
        from: "2026-01-01T00:00:00Z",
        count: 2,
        clock: "24h",
      },
      result:
        '{\n  "expression": "0 30 2 29 3 ?",\n  "dialect": "quartz",\n  "description": "At 02:30, on day 29 of the month, only in March",\n  "timeZone": "Europe/Berlin",\n  "fields": [\n    {\n      "field": "second",\n      "expression": "0",\n      "values": "0"\n    },\n    {\n      "field": "minute",\n      "expression": "30",\n      "values": "30"\n    },\n    {\n      "field": "hour",\n      "expression": "2",\n      "values": "2"\n    },\n    {\n      "field": "day of month",\n      "expression": "29",\n      "values": "29"\n    },\n    {\n      "field": "month",\n      "expression": "3",\n      "values": "3"\n    },\n    {\n      "field": "day of week",\n      "expression": "?",\n      "values": "*"\n    }\n  ],\n  "runs": [\n    "2026-03-29T03:00:00+02:00",\n    "2027-03-29T02:30:00+02:00"\n  ]\n}',
    },
  ],
  async run({ data, dialect, seconds, days, timeZone, count, from, ...options }, context) {
    if (!isTimeZone(timeZone))
      throw invalidField("timeZone", "Must be a time zone such as Europe/Paris or +01:00.");
    const after = from === undefined ? nowOf(options, context) : Date.parse(from);
    const asked = { ...options, dialect, seconds, days, timeZone, count, from: after };
    const plan = await refusing(data, () => planSchedule(data, asked));
    return JSON.stringify({ expression: data.trim(), ...plan }, null, 2);
  },
});
