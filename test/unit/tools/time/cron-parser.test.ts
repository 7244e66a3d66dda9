import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/time/cron-parser.ts";
import { refusalOf, runTool } from "../run-tool.ts";

interface Answer {
  description: string;
  fields: { field: string; expression: string; values: string }[];
  runs: string[];
}
const from = "2026-01-01T00:00:00Z";
const parse = async (input: Record<string, unknown>): Promise<Answer> =>
  JSON.parse(await runTool(tool, { from, ...input })) as Answer;
const daysOf = async (input: Record<string, unknown>): Promise<string[]> =>
  (await parse(input)).runs.map((run) => run.slice(0, 10));

describe("days", () => {
  test.each([
    // January 2026 begins on a Thursday.
    ["0 0 13 * 5", ["2026-01-02", "2026-01-09", "2026-01-13"]],
    ["0 0 * * 0", ["2026-01-04", "2026-01-11", "2026-01-18"]],
    ["0 0 * * 7", ["2026-01-04", "2026-01-11", "2026-01-18"]],
    ["0 0 * * sun", ["2026-01-04", "2026-01-11", "2026-01-18"]],
    ["0 0 * * 0,6", ["2026-01-03", "2026-01-04", "2026-01-10"]],
    ["0 0 * * 5-7", ["2026-01-02", "2026-01-03", "2026-01-04"]],
    ["0 0 * * FRI-SUN", ["2026-01-02", "2026-01-03", "2026-01-04"]],
    ["0 0 */10 * 1", ["2026-01-05", "2026-01-11", "2026-01-12"]],
    ["0 0 */1 * 1", ["2026-01-05", "2026-01-12", "2026-01-19"]],
    ["0 0 31 * *", ["2026-01-31", "2026-03-31", "2026-05-31"]],
    ["0 0 29 2 *", ["2028-02-29", "2032-02-29", "2036-02-29"]],
    ["0 0 L * *", ["2026-01-31", "2026-02-28", "2026-03-31"]],
    ["0 0 15W * *", ["2026-01-15", "2026-02-16", "2026-03-16"]],
    ["0 0 LW * *", ["2026-01-30", "2026-02-27", "2026-03-31"]],
    ["0 0 * * 5L", ["2026-01-30", "2026-02-27", "2026-03-27"]],
    ["0 0 * * MON#1,MON#3", ["2026-01-05", "2026-01-19", "2026-02-02"]],
    ["0 0 1 jan,JUL ?", ["2026-07-01", "2027-01-01", "2027-07-01"]],
    ["@monthly", ["2026-02-01", "2026-03-01", "2026-04-01"]],
  ])("%s", async (data, wanted) => {
    expect(await daysOf({ data, count: 3 })).toEqual(wanted);
  });

  test("requires both days on request", async () => {
    expect(await daysOf({ data: "0 0 13 * 5", days: "and", count: 2 })).toEqual(["2026-02-13", "2026-03-13"]);
  });

  test.each([
    ["quartz", "0 0 12 ? * 1", "Sunday"],
    ["quartz", "0 0 12 ? * 7", "Saturday"],
    ["quartz", "0 0 12 ? * SUN 2026", "Sunday"],
    ["aws", "cron(0 12 ? * 2 *)", "Monday"],
    ["aws", "0 12 ? * MON *", "Monday"],
    ["unix", "0 12 * * 1", "Monday"],
  ])("%s: %s is a %s, in words, times and values", async (dialect, data, day) => {
    const { description, runs, fields } = await parse({ data, dialect, count: 2 });
    expect(description).toContain(`only on ${day}`);
    for (const run of runs)
      expect(new Date(run).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })).toBe(day);
    expect(fields.find(({ field }) => field === "day of week")?.values).toBe(day.slice(0, 3).toUpperCase());
  });
});

describe("clock changes", () => {
  const timeZone = "Europe/Berlin";
  test("a skipped time runs after the gap, a repeated one runs once", async () => {
    expect(
      (await parse({ data: "30 2 * * *", timeZone, from: "2026-03-28T12:00:00Z", count: 2 })).runs,
    ).toEqual(["2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"]);
    expect(
      (await parse({ data: "30 2 * * *", timeZone, from: "2026-10-24T12:00:00Z", count: 2 })).runs,
    ).toEqual(["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]);
  });

  test("a quarter-hourly job continues without a gap", async () => {
    const { runs } = await parse({ data: "*/15 * * * *", timeZone, from: "2026-10-24T23:59:00Z", count: 12 });
    const times = runs.map((run) => Date.parse(run));
    expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 900_000)).toBe(
      true,
    );
    expect(runs[4]).toBe("2026-10-25T02:00:00+01:00");
  });

  test("an offset is accepted as a zone", async () => {
    expect((await parse({ data: "0 9 * * *", timeZone: "+05:30", count: 1 })).runs).toEqual([
      "2026-01-01T09:00:00+05:30",
    ]);
  });
});

test("seconds and years", async () => {
  expect((await parse({ data: "*/20 0 0 1 1 *", seconds: true, count: 2 })).runs).toEqual([
    "2026-01-01T00:00:20Z",
    "2026-01-01T00:00:40Z",
  ]);
  const ending = await parse({ data: "0 0 1 1 * 2027-2028" });
  expect(ending.runs).toEqual(["2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"]);
  expect(ending.description).toBe("At 12:00 AM, on day 1 of the month, only in January, 2027 through 2028");
});

test("values of each field", async () => {
  const { fields } = await parse({ data: "5-15/5,0 */6 * 1-3,DEC MON,SUN" });
  expect(fields.map(({ values }) => values)).toEqual(["0,5,10,15", "0,6,12,18", "*", "1-3,12", "SUN,MON"]);
});

// Quartz 2.3, CronExpression: the class documentation and its checks.
describe("Quartz", () => {
  const dialect = "quartz";
  test.each([
    ["0 0 0 L-5 * ?", ["2026-01-26", "2026-02-23", "2026-03-26"], "5 days before the last day"],
    ["0 0 0 l-1 * ?", ["2026-01-30", "2026-02-27", "2026-03-30"], "1 day before the last day"],
    ["0 0 0 L-30 * ?", ["2026-03-01", "2026-05-01", "2026-07-01"], "30 days before the last day"],
    ["0 0 0 L-5W * ?", ["2026-01-26", "2026-02-23", "2026-03-26"], "on the weekday nearest 5 days before"],
    ["0 0 0 L-6W * ?", ["2026-01-26", "2026-02-23", "2026-03-25"], "on the weekday nearest 6 days before"],
    ["0 0 0 L-0 * ?", ["2026-01-31", "2026-02-28", "2026-03-31"], ""],
    ["0 0 0 L * ?", ["2026-01-31", "2026-02-28", "2026-03-31"], "on the last day"],
    ["0 0 0 LW * ?", ["2026-01-30", "2026-02-27", "2026-03-31"], "on the last weekday"],
    ["0 0 0 15W * ?", ["2026-01-15", "2026-02-16", "2026-03-16"], "weekday nearest day 15"],
    ["0 0 0 1W * ?", ["2026-02-02", "2026-03-02", "2026-04-01"], "first weekday"],
    ["0 0 0 ? * L", ["2026-01-03", "2026-01-10", "2026-01-17"], "Saturday"],
    ["0 0 0 ? * 6L", ["2026-01-30", "2026-02-27", "2026-03-27"], "on the last Friday"],
    ["0 0 0 ? * FRI#3", ["2026-01-16", "2026-02-20", "2026-03-20"], "third Friday"],
    ["0 0 0 ? * 6#3 2026-2027", ["2026-01-16", "2026-02-20", "2026-03-20"], "third Friday"],
    ["0 0 0 /10 * ?", ["2026-01-11", "2026-01-21", "2026-01-31"], "every 10 days"],
    ["0 0 0 ? jan,mar Fri-Mon", ["2026-01-02", "2026-01-03", "2026-01-04"], "Friday through Monday"],
  ])("%s", async (data, days, words) => {
    expect(await daysOf({ data, dialect, count: 3 })).toEqual(days);
    expect((await parse({ data, dialect })).description).toContain(words);
  });

  test.each([
    ["0 0 0 W5 * ?", 6],
    ["0 0 0 W1 * ?", 6],
    ["0 0 0 WL * ?", 6],
    ["0 0 0 0W * ?", 6],
    ["0 0 0 32W * ?", 6],
    ["0 0 0 L-31 * ?", 8],
    ["0 0 0 L-x * ?", 6],
    ["0 0 0 L,15 * ?", 6],
    ["0 0 0 1,15W * ?", 8],
    ["0 0 0 ? * 6#1,6#3", 10],
    ["0 0 0 ? * 6#6", 10],
    ["0 0 0 ? * 0L", 10],
    ["0 0 0 ? * 0", 10],
    ["0 0 0 ? * 8", 10],
    ["0 0 0 * * *", 6],
    ["0 0 0 ? * ?", 6],
    ["? 0 0 * * ?", 0],
    ["0/60 0 0 * * ?", 2],
    ["0 0 */24 * * ?", 6],
    ["0 0 0 * */13 ?", 10],
    ["0 0 0 * * ? 1969", 12],
    ["0 0 0 * * ? 2100", 12],
    ["0 0 0 * * ? 2030-2028", 12],
  ])("%s is refused at %i", async (data, offset) => {
    expect(await refusalOf(parse({ data, dialect }))).toMatchObject({ code: "invalid_document", offset });
  });
});

test("AWS has its W after the day, and no L-5", async () => {
  expect(await daysOf({ data: "0 12 3W * ? *", dialect: "aws", count: 1 })).toEqual(["2026-01-02"]);
  for (const data of ["0 12 W3 * ? *", "0 12 L-5 * ? *", "0 12 WL * ? *"])
    expect((await refusalOf(parse({ data, dialect: "aws" }))).code).toBe("invalid_document");
});

describe("refusals", () => {
  test.each([
    ["", 0],
    ["* * * *", 0],
    ["* * * * * *", 0],
    ["60 * * * *", 0],
    ["* 24 * * *", 2],
    ["* * 0 * *", 4],
    ["* * * 13 *", 6],
    ["* * * * 8", 8],
    ["* * * * XYZ", 8],
    ["*/0 * * * *", 2],
    ["*/61 * * * *", 2],
    ["1,,2 * * * *", 2],
    ["1,2, * * * *", 4],
    ["1- * * * *", 2],
    ["1.5 * * * *", 0],
    ["-1 * * * *", 0],
    ["* 22-2 * * *", 2],
    ["* * L-3 * *", 4],
    ["* * 1,15W * *", 6],
    ["* * * * MON#6", 8],
    ["* * * * 1,5L", 10],
    ["@reboot", 0],
    ["@fortnightly", 0],
    ["0 0 31 2 *", 0],
    ["0 0 30 2 *", 0],
    ["0 0 31 4,6,9,11 *", 0],
    ["0 0 1 1 * 2020", 0],
  ])("%j at %i", async (data, offset) => {
    expect(await refusalOf(parse({ data }))).toMatchObject({ code: "invalid_document", offset });
  });

  test.each([
    ["quartz", "0 0 12 * * *"],
    ["quartz", "0 0 12 ? * ?"],
    ["quartz", "0 12 * * ?"],
    ["aws", "0 12 * * * *"],
    ["aws", "0 12 * * ?"],
    ["aws", "cron(0 12 ? * 0 *)"],
  ])("%s: %s", async (dialect, data) => {
    expect((await refusalOf(parse({ data, dialect }))).code).toBe("invalid_document");
  });

  test("an unknown zone is an invalid call", async () => {
    const refusal = await refusalOf(parse({ data: "* * * * *", timeZone: "Mars/Base" }));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/timeZone" });
  });
});

describe("properties", () => {
  /** A field as text, with the values that it must match. */
  const field = (min: number, max: number): fc.Arbitrary<{ text: string; values: Set<number> }> => {
    const range = fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map((ends) => ends.toSorted((a, b) => a - b));
    const item = fc.oneof(
      range.map(([low = 0]) => ({ text: `${low}`, low, high: low, step: 1 })),
      range.map(([low = 0, high = 0]) => ({ text: `${low}-${high}`, low, high, step: 1 })),
      fc
        .tuple(range, fc.integer({ min: 2, max: 7 }))
        .map(([[low = 0, high = 0], step]) => ({ text: `${low}-${high}/${step}`, low, high, step })),
      fc.integer({ min: 2, max: 7 }).map((step) => ({ text: `*/${step}`, low: min, high: max, step })),
    );
    return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
      text: items.map(({ text }) => text).join(","),
      values: new Set(
        items.flatMap(({ low, high, step }) =>
          Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step),
        ),
      ),
    }));
  };

  test("the runs are exactly the minutes that match", async () => {
    await fc.assert(
      fc.asyncProperty(
        field(0, 59),
        field(0, 23),
        field(1, 28),
        field(1, 12),
        field(0, 6),
        async (...fields) => {
          const [minute, hour, day, month, weekday] = fields;
          const { runs } = await parse({ data: fields.map(({ text }) => text).join(" "), count: 4 });
          const wanted: string[] = [];
          for (let at = Date.parse(from); wanted.length < 4; at += 86_400_000) {
            const date = new Date(at);
            const matches = day.values.has(date.getUTCDate()) || weekday.values.has(date.getUTCDay());
            if (!month.values.has(date.getUTCMonth() + 1) || !matches) continue;
            for (let one = 0; one < 1440 && wanted.length < 4; one++) {
              if (!hour.values.has(Math.floor(one / 60)) || !minute.values.has(one % 60)) continue;
              // Runs are after the given time.
              if (at + one * 60_000 > Date.parse(from))
                wanted.push(new Date(at + one * 60_000).toISOString().replace(".000", ""));
            }
          }
          expect(runs).toEqual(wanted);
        },
      ),
    );
  });

  test("the description and the runs agree", async () => {
    const dialect = fc.constantFrom("unix", "quartz", "aws");
    const time = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }));
    await fc.assert(
      fc.asyncProperty(
        dialect,
        time,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 7 }),
        async (name, [minute, hour], month, weekday) => {
          const five = `${minute} ${hour} ${name === "unix" ? "*" : "?"} ${month} ${weekday}`;
          const data = { unix: five, quartz: `0 ${five}`, aws: `${five} *` }[name] as string;
          const { description, runs } = await parse({ data, dialect: name, count: 1, clock: "24h" });
          const run = new Date(runs[0] as string);
          const say = (options: Intl.DateTimeFormatOptions): string =>
            run.toLocaleString("en-GB", { timeZone: "UTC", ...options });
          expect(description).toBe(
            `At ${say({ hour: "2-digit", minute: "2-digit" })}, only on ${say({ weekday: "long" })}, only in ${say({ month: "long" })}`,
          );
        },
      ),
    );
  });

  test("every accepted expression has a sensible description", async () => {
    const word = fc.constantFrom(
      "*",
      "?",
      "L",
      "LW",
      "15W",
      "5L",
      "FRIL",
      "MON#2",
      "1",
      "2-5",
      "*/2",
      "SUN",
      "JAN",
      "1/3",
      "5-7",
    );
    const list = fc.array(word, { minLength: 1, maxLength: 3 }).map((items) => items.join(","));
    await fc.assert(
      fc.asyncProperty(
        fc.array(list, { minLength: 5, maxLength: 7 }),
        fc.constantFrom("unix", "quartz", "aws"),
        fc.boolean(),
        async (words, dialect, seconds) => {
          const work = parse({ data: words.join(" "), dialect, seconds, count: 1 });
          const answer = await work.catch(async (error: unknown) => {
            expect(await refusalOf(Promise.reject(error as Error))).toMatchObject({
              code: "invalid_document",
            });
          });
          expect(answer?.description ?? "").not.toMatch(/undefined|NaN|null/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("intervals", () => {
  test.each([
    [
      { data: "@every 1h30m", count: 2 },
      "Every 1 hour and 30 minutes, counted from the start of the schedule",
      ["2026-01-01T01:30:00Z", "2026-01-01T03:00:00Z"],
    ],
    [
      { data: " @EVERY 90s ", count: 1 },
      "Every 1 minute and 30 seconds, counted from the start of the schedule",
      ["2026-01-01T00:01:30Z"],
    ],
    [
      { data: "rate(5 minutes)", dialect: "aws", count: 1 },
      "Every 5 minutes, counted from the start of the schedule",
      ["2026-01-01T00:05:00Z"],
    ],
    [
      { data: "rate(1 day)", count: 2, timeZone: "Europe/Berlin" },
      "Every 1 day, counted from the start of the schedule",
      ["2026-01-02T01:00:00+01:00", "2026-01-03T01:00:00+01:00"],
    ],
  ])("%j", async (input, description, runs) => {
    expect(await parse(input)).toMatchObject({ description, runs, fields: [] });
  });

  test.each([
    "@every",
    "@every 5",
    "@every 0s",
    "@every 1d",
    "@every 999999999h",
    "rate(0 minutes)",
    "rate(1 minutes)",
    "rate(5 minute)",
    "rate(5 weeks)",
    "rate(",
  ])("%s is refused", async (data) => {
    expect(await refusalOf(runTool(tool, { data, from }))).toMatchObject({
      code: "invalid_document",
      line: 1,
    });
  });
});

describe("calendar events of systemd", () => {
  test.each([
    ["daily", ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]],
    ["weekly", ["2026-01-05T00:00:00Z", "2026-01-12T00:00:00Z"]],
    ["quarterly", ["2026-04-01T00:00:00Z", "2026-07-01T00:00:00Z"]],
    ["Mon..Fri 10:00", ["2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z"]],
    ["Saturday,Sunday *-*-* 08:30:15", ["2026-01-03T08:30:15Z", "2026-01-04T08:30:15Z"]],
    ["*-*-01 04:00:00", ["2026-01-01T04:00:00Z", "2026-02-01T04:00:00Z"]],
    ["Fri *-*-13", ["2026-02-13T00:00:00Z", "2026-03-13T00:00:00Z"]],
    ["*:0/15", ["2026-01-01T00:15:00Z", "2026-01-01T00:30:00Z"]],
    ["2027-02-03 4:05", ["2027-02-03T04:05:00Z"]],
    ["12-24..26 18:00", ["2026-12-24T18:00:00Z", "2026-12-25T18:00:00Z"]],
    ["*-*~01 23:00", ["2026-01-31T23:00:00Z", "2026-02-28T23:00:00Z"]],
    ["*-02~1", ["2026-02-28T00:00:00Z", "2027-02-28T00:00:00Z"]],
    ["08..09:00", ["2026-01-01T08:00:00Z", "2026-01-01T09:00:00Z"]],
  ])("%s", async (data, runs) => {
    expect((await parse({ data, dialect: "systemd", count: 2 })).runs).toEqual(runs);
  });

  test.each([
    ["", "calendar event"],
    ["sometimes", "day of week"],
    ["*-02~03", "from the end of the month"],
    ["Mon *-05~07/1", "from the end of the month"],
    ["10:00 UTC", "Set timeZone"],
    ["25:00", "hour as a number from 0 to 23"],
    ["x".repeat(1000), "day of week"],
    [",".repeat(999), "Expected"],
  ])("%.20s is refused", async (data, message) => {
    expect((await refusalOf(runTool(tool, { data, dialect: "systemd", from }))).message).toContain(message);
  });
});

describe("lines of a crontab", () => {
  test.each([
    [
      "*/5 * * * * /usr/bin/php /var/www/cron.php >/dev/null 2>&1",
      "/usr/bin/php /var/www/cron.php >/dev/null 2>&1",
    ],
    [
      "17 * * * * root cd / && run-parts --report /etc/cron.hourly",
      "root cd / && run-parts --report /etc/cron.hourly",
    ],
    ["@daily /usr/bin/backup", "/usr/bin/backup"],
    ["0 0 * * SUN true", "true"],
  ])("%s has a command", async (data, command) => {
    expect(await parse({ data })).toMatchObject({ command });
  });

  test("CRON_TZ= is the zone", async () => {
    const data = "CRON_TZ=Asia/Tokyo 0 6 * * * date";
    expect(await parse({ data, count: 1 })).toMatchObject({
      timeZone: "Asia/Tokyo",
      command: "date",
      runs: ["2026-01-02T06:00:00+09:00"],
    });
    expect(await parse({ data: "TZ='UTC' 0 6 * * *", count: 1 })).not.toHaveProperty("command");
    expect(await refusalOf(runTool(tool, { data: "CRON_TZ=Mars 0 6 * * *" }))).toMatchObject({
      message: expect.stringContaining("The time zone Mars is unknown") as string,
      column: 9,
    });
  });

  test.each(["0 0 12 * * ?", "0 12 * * 1 2 3 4", "0 12 * * MON,TUE *"])("%s has none", async (data) => {
    expect((await refusalOf(runTool(tool, { data }))).code).toBe("invalid_document");
  });

  test("places of faults are those of the line", async () => {
    const data = "CRON_TZ=UTC 0 25 * * * /bin/true";
    expect(await refusalOf(runTool(tool, { data }))).toMatchObject({ code: "invalid_document", column: 15 });
  });
});

describe("another dialect", () => {
  test.each([
    ["0 0 12 * * ?", {}, "It is valid with dialect quartz."],
    ["0 0 12 * * *", {}, "It is valid with seconds true."],
    ["0 0 12 L-3 * ?", {}, "It is valid with dialect quartz."],
    ["0 0 12 1/5 * ? 2030-2035", { dialect: "aws" }, "It is valid with dialect quartz."],
    ["0 10 ? * MON *", { dialect: "quartz" }, "It is valid with dialect aws."],
    ["0 10 * * *", { dialect: "aws" }, "It is valid with dialect unix."],
    ["Mon..Fri 10:00", {}, "It is valid with dialect systemd."],
  ])("%s with %j is refused with the one that accepts it", async (data, options, hint) => {
    expect((await refusalOf(runTool(tool, { data, ...options }))).message).toContain(hint);
  });

  test("cron(…) is that of AWS", async () => {
    expect(await parse({ data: "cron(0 10 * * ? *)", count: 1 })).toMatchObject({
      dialect: "aws",
      runs: ["2026-01-01T10:00:00Z"],
    });
  });
});

test.each([
  ["*/5 3,5 * * *", "Every 5 minutes, only in the hours of 03:00 AM and 05:00 AM"],
  ["* 3,5 * * *", "Every minute, only in the hours of 03:00 AM and 05:00 AM"],
  ["0 3,5 * * *", "At 03:00 AM and 05:00 AM"],
])("%s is described as %j", async (data, description) => {
  expect((await parse({ data })).description).toBe(description);
});

test("says what to write instead of the H of Jenkins", async () => {
  expect((await refusalOf(runTool(tool, { data: "H/15 * * * *" }))).message).toContain(
    "write a number from 0 to 59 instead",
  );
});
