import { Cron } from "croner";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CronExpression, parseCron } from "../../../../src/lib/cron/parse.ts";
import { nextRuns } from "../../../../src/lib/cron/schedule.ts";
import { propertyRuns } from "../../../support/cases.ts";

const upTo = (text: string, options: Partial<Parameters<typeof nextRuns>[1]> = {}): string[] =>
  nextRuns(parseCron(text, "unix", false), {
    timeZone: "UTC",
    from: Date.parse("2026-01-01T00:00:00Z"),
    count: 3,
    bothDays: false,
    ...options,
  });

describe("days counted from the end of the month", () => {
  const runs = (special: string): string[] => {
    const { fields, ...rest } = parseCron("0 0 1 * *", "unix", false);
    const days = fields.map((field) =>
      field.name === "day of month" ? { ...field, values: [], special: [special] } : field,
    );
    const options = { timeZone: "UTC", from: Date.parse("2026-01-01T00:00:00Z"), count: 4, bothDays: false };
    return nextRuns({ ...rest, fields: days }, options).map((run) => run.slice(0, 10));
  };

  test("L-5 is the fifth day before the last", () => {
    expect(runs("L-5")).toEqual(["2026-01-26", "2026-02-23", "2026-03-26", "2026-04-25"]);
  });

  test("L-29 skips the months that are too short", () => {
    expect(runs("L-29")).toEqual(["2026-01-02", "2026-03-02", "2026-04-01", "2026-05-02"]);
  });

  test("L-5W is the weekday nearest to that day", () => {
    expect(runs("L-5W")).toEqual(["2026-01-26", "2026-02-23", "2026-03-26", "2026-04-24"]);
  });
});

test("a schedule that matches no day has no runs", () => {
  expect(upTo("0 0 30 2 *")).toEqual([]);
  expect(upTo("0 0 1 1 1 2027", { timeZone: "Europe/Berlin", bothDays: true })).toEqual([]);
});

test("finds runs in the years before 100 and in the last year", () => {
  expect(upTo("0 0 29 2 *", { from: Date.parse("0003-01-01T00:00:00Z"), count: 2 })).toEqual([
    "0004-02-29T00:00:00Z",
    "0008-02-29T00:00:00Z",
  ]);
  expect(upTo("0 0 1 1 *", { from: Date.parse("2998-06-01T00:00:00Z") })).toEqual(["2999-01-01T00:00:00Z"]);
});

test("clocks that go back at midnight repeat the last run of a schedule", () => {
  // Havana goes back from 01:00 to 00:00 on 1 November 2026.
  const from = Date.parse("2026-10-31T12:00:00Z");
  expect(upTo("0-30/30 0 1 11 * 2026", { timeZone: "America/Havana", from, count: 9 })).toEqual([
    "2026-11-01T00:00:00-04:00",
    "2026-11-01T00:30:00-04:00",
    "2026-11-01T00:00:00-05:00",
    "2026-11-01T00:30:00-05:00",
  ]);
});

/** Writes the schedule in croner's notation, with each field as its values. */
function toCroner({ fields }: CronExpression): string {
  const text = (name: string, missing: string): string => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return missing;
    return field.any ? "*" : [...field.values, ...field.special].join(",");
  };
  const rest = ["minute", "hour", "day of month", "month", "day of week", "year"];
  return [text("second", "0"), ...rest.map((name) => text(name, "*"))].join(" ");
}

const field = (min: number, max: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min, max });
  return fc.oneof(
    fc.constant("*"),
    fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
    value.map(String),
    fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.array(value, { minLength: 2, maxLength: 4 }).map((values) => values.join(",")),
  );
};

const expression = fc
  .tuple(
    fc.oneof(fc.constant("0"), field(0, 59)),
    field(0, 59),
    fc.oneof(fc.constantFrom("0", "1", "2", "3", "23"), field(0, 23)),
    fc.oneof(fc.constant("*"), field(1, 31), fc.constantFrom("L", "LW", "15W", "1W", "31W", "L,13")),
    fc.oneof(fc.constant("*"), field(1, 12)),
    fc.oneof(fc.constant("*"), field(0, 6), fc.constantFrom("5L", "1#2", "0#5", "MON#1")),
    fc.oneof(fc.constant(""), field(2026, 2040)),
  )
  .map((fields) => fields.join(" ").trim());

/** Shortly before clocks change somewhere, or a day is skipped as a whole. */
const eves = [
  "2026-03-29T00:00Z",
  "2026-10-24T23:00Z",
  "2026-11-01T04:00Z",
  "2011-12-29T00:00Z",
  "2026-10-03T12:00Z",
];

test("agrees with another implementation, in zones with unusual clock changes", () => {
  const zones = ["UTC", "+05:30", "Europe/Berlin", "Europe/Dublin", "America/Havana", "America/Sao_Paulo"];
  zones.push("Africa/Casablanca", "Africa/Cairo", "Australia/Lord_Howe", "Pacific/Apia", "Antarctica/Troll");
  const schedules = fc.record({
    text: expression,
    timeZone: fc.constantFrom(...zones),
    from: fc
      .tuple(fc.constantFrom(...eves), fc.integer({ min: 0, max: 108_000_000 }))
      .map(([eve, later]) => Date.parse(eve) + later),
    bothDays: fc.boolean(),
  });
  fc.assert(
    fc.property(schedules, ({ text, ...options }) => {
      const parsed = parseCron(text, "unix", true);
      const { timeZone, from, bothDays } = options;
      const peer = new Cron(toCroner(parsed), { timezone: timeZone, mode: "7-part", domAndDow: bothDays });
      const expected = peer.nextRuns(8, new Date(from)).map((run) => run.getTime());
      const runs = nextRuns(parsed, { ...options, count: 8 });
      expect(runs.map((run) => Date.parse(run))).toEqual(expected);
    }),
    { numRuns: propertyRuns(100), seed: 11 },
  );
});
