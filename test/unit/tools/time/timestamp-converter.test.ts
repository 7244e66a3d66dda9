import * as fc from "fast-check";
import { expect, test } from "vitest";
import stamp from "../../../../src/tools/time/timestamp-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  [{ data: "0" }, "1970-01-01T00:00:00Z"],
  [{ data: "-1" }, "1969-12-31T23:59:59Z"],
  [{ data: "1700000000" }, "2023-11-14T22:13:20Z"],
  [{ data: "1700000000123" }, "2023-11-14T22:13:20.123Z"],
  [{ data: "1700000000123456" }, "2023-11-14T22:13:20.123456Z"],
  [{ data: "1700000000123456789" }, "2023-11-14T22:13:20.123456789Z"],
  [{ data: "1700000000.000000001" }, "2023-11-14T22:13:20.000000001Z"],
  [{ data: "1700000000", unit: "ms" }, "1970-01-20T16:13:20Z"],
  [{ data: "638362798870000000", unit: "ticks" }, "2023-11-22T19:58:07Z"],
  [{ data: "0", epoch: "2001-01-01T00:00:00Z" }, "2001-01-01T00:00:00Z"],
  [{ data: "45292", unit: "excel" }, "2024-01-01T00:00:00Z"],
  [{ data: "45292.5", unit: "excel", timeZone: "America/New_York" }, "2024-01-01T12:00:00-05:00"],
  [{ data: "1", unit: "excel" }, "1900-01-01T00:00:00Z"],
  [{ data: "59", unit: "excel" }, "1900-02-28T00:00:00Z"],
  [{ data: "61", unit: "excel" }, "1900-03-01T00:00:00Z"],
  [{ data: "2026-01-02" }, "2026-01-02T00:00:00Z"],
  [{ data: "2026-01-02", timeZone: "Asia/Tokyo" }, "2026-01-02T00:00:00+09:00"],
  [{ data: "20260102T030405Z" }, "2026-01-02T03:04:05Z"],
  [{ data: "2026-01-02 03:04:05.5+01:00" }, "2026-01-02T02:04:05.5Z"],
  [{ data: "2026-07-01T12:00[Europe/Paris]" }, "2026-07-01T10:00:00Z"],
  [{ data: "2016-12-31T23:59:60Z" }, "2017-01-01T00:00:00Z"],
  [{ data: "Sun, 06 Nov 1994 08:49:37 GMT" }, "1994-11-06T08:49:37Z"],
  [{ data: "Sun Nov  6 08:49:37 1994" }, "1994-11-06T08:49:37Z"],
  [{ data: "Sun, 6 Nov 1994 08:49:37 +0100" }, "1994-11-06T07:49:37Z"],
  // RFC 7231 §7.1.1.1: 94 is 1994, and 76 is 2076 until 2026 is over.
  [{ data: "Sunday, 06-Nov-94 08:49:37 GMT" }, "1994-11-06T08:49:37Z"],
  [{ data: "Friday, 06-Nov-76 00:00:00 GMT" }, "2076-11-06T00:00:00Z"],
  [{ data: "Sunday, 06-Nov-77 00:00:00 GMT" }, "1977-11-06T00:00:00Z"],
  [{ data: "Saturday, 06-Nov-76 00:00:00 GMT", now: "2025-12-31T23:59:59Z" }, "1976-11-06T00:00:00Z"],
  // RFC 9562, appendix A.
  [{ data: "C232AB00-9414-11EC-B3C8-9F6BDECED846" }, "2022-02-22T19:22:22Z"],
  [{ data: "1EC9414C-232A-6B00-B3C8-9F6BDECED846" }, "2022-02-22T19:22:22Z"],
  [{ data: "017F22E2-79B0-7CC3-98C4-DC0C0C07398F" }, "2022-02-22T19:22:22Z"],
  [{ data: "507f1f77bcf86cd799439011" }, "2012-10-17T21:13:27Z"],
  [{ data: "Mon Jan 15 10:30:00 2024 +0100" }, "2024-01-15T09:30:00Z"],
  [{ data: "Fri Jan 5 10:30:00 2024 -0830" }, "2024-01-05T19:00:00Z"],
  [{ data: "1700000000 +0100" }, "2023-11-14T22:13:20Z"],
  [{ data: "@1700000000 -0500" }, "2023-11-14T22:13:20Z"],
  [{ data: "Mon Jan 15 10:30:00 UTC 2024" }, "2024-01-15T10:30:00Z"],
  [{ data: "Fri Jan  5 10:30:00 GMT 2024" }, "2024-01-05T10:30:00Z"],
  [{ data: "15/Jan/2024:10:30:00 +0000" }, "2024-01-15T10:30:00Z"],
  [{ data: "[15/Jan/2024:10:30:00 -0500]" }, "2024-01-15T15:30:00Z"],
  [{ data: "2024/01/15 10:30:00" }, "2024-01-15T10:30:00Z"],
  [{ data: "2024-01-15 10:30:00,123" }, "2024-01-15T10:30:00.123Z"],
  [{ data: "2024-01-15T10:30:00,123456Z" }, "2024-01-15T10:30:00.123456Z"],
  [{ data: "133500000000000000" }, "2024-01-17T21:20:00Z"],
  [{ data: "133500000000000000", unit: "ns" }, "1974-03-26T03:20:00Z"],
  [{ data: "0", unit: "filetime" }, "1601-01-01T00:00:00Z"],
  [
    { data: "0\n\n  1700000000\r\nnow\n" },
    "1970-01-01T00:00:00Z\n2023-11-14T22:13:20Z\n2026-01-02T03:04:05.678Z",
  ],
  [{ data: "now" }, "2026-01-02T03:04:05.678Z"],
  // E-mail (RFC 5322 §4.3) and cookies (RFC 6265 §5.1.1).
  [{ data: "Thu, 22 Jun 2017 18:17:45 EDT" }, "2017-06-22T22:17:45Z"],
  [{ data: "Fri, 20 Nov 26 10:00:00 GMT" }, "2026-11-20T10:00:00Z"],
  [{ data: "Fri, 20 Nov 2026 10:00:00 +0000 (Coordinated Universal Time)" }, "2026-11-20T10:00:00Z"],
  [{ data: "Wed, 21-Oct-2015 07:28:00 GMT" }, "2015-10-21T07:28:00Z"],
  [{ data: "21 Aug 2019 11:30", timeZone: "America/New_York" }, "2019-08-21T11:30:00-04:00"],
  // Programs: JavaScript, Go, Ruby, git, ASP.NET, openssl, LDAP, X.509.
  [{ data: "Fri Nov 20 2026 10:00:00 GMT+0100 (Central European Standard Time)" }, "2026-11-20T09:00:00Z"],
  [{ data: "2009-11-10 23:00:00.5 +0000 UTC m=+0.000000001" }, "2009-11-10T23:00:00.5Z"],
  [{ data: "2009-11-10 23:00:00 -0300 -03" }, "2009-11-11T02:00:00Z"],
  [{ data: "2024-01-02 03:04:05 UTC" }, "2024-01-02T03:04:05Z"],
  [{ data: "2024-01-02 03:04:05 Europe/Paris" }, "2024-01-02T02:04:05Z"],
  [{ data: "2026-11-20 10:00:00 +0100" }, "2026-11-20T09:00:00Z"],
  [{ data: "Mon Apr 20 20:05:30 +0000 2009" }, "2009-04-20T20:05:30Z"],
  [{ data: "/Date(1700000000000+0100)/" }, "2023-11-14T22:13:20Z"],
  [{ data: "notAfter=Nov  2 10:00:00 2026 GMT" }, "2026-11-02T10:00:00Z"],
  [{ data: "20240102030405.5+0100" }, "2024-01-02T02:04:05.5Z"],
  [{ data: "16010101000000.0Z" }, "1601-01-01T00:00:00Z"],
  [{ data: "491231235959Z" }, "2049-12-31T23:59:59Z"],
  [{ data: "500101000000Z" }, "1950-01-01T00:00:00Z"],
  [{ data: "2024-01-02T03:04:05.1234567891Z" }, "2024-01-02T03:04:05.123456789Z"],
  // Logs; without a year, the latest such day.
  [{ data: "[Fri Nov 20 10:00:00.123456 2026]" }, "2026-11-20T10:00:00.123456Z"],
  [{ data: "Jan  2 10:00:00" }, "2026-01-02T10:00:00Z"],
  [{ data: "Nov 20 10:00:00" }, "2025-11-20T10:00:00Z"],
  [{ data: "Feb 29 10:00:00" }, "2024-02-29T10:00:00Z"],
  [{ data: "I1120 10:00:00.123456" }, "2025-11-20T10:00:00.123456Z"],
  [{ data: "10/Oct/2000:13:55:36.789 -0700" }, "2000-10-10T20:55:36.789Z"],
  // ISO 8601: weeks, ordinals, months, digits alone.
  [{ data: "2024-W01-2" }, "2024-01-02T00:00:00Z"],
  [{ data: "2020-W53-5" }, "2021-01-01T00:00:00Z"],
  [{ data: "2024W012T10:00Z" }, "2024-01-02T10:00:00Z"],
  [{ data: "2024-366" }, "2024-12-31T00:00:00Z"],
  [{ data: "2024-01" }, "2024-01-01T00:00:00Z"],
  [{ data: "20240102" }, "2024-01-02T00:00:00Z"],
  [{ data: "202401020304" }, "2024-01-02T03:04:00Z"],
  [{ data: "20240102030405", timeZone: "Asia/Tokyo" }, "2024-01-02T03:04:05+09:00"],
  [{ data: "20240102", unit: "s" }, "1970-08-23T06:15:02Z"],
  [{ data: "20240230" }, "1970-08-23T06:17:10Z"],
  // People.
  [{ data: "31.12.2024 23:59" }, "2024-12-31T23:59:00Z"],
  [{ data: "1/13/2024" }, "2024-01-13T00:00:00Z"],
  [{ data: "3/4/2024", dateOrder: "month-first" }, "2024-03-04T00:00:00Z"],
  [{ data: "3/4/24 5:00 PM", dateOrder: "day-first" }, "2024-04-03T17:00:00Z"],
  [{ data: "December 25, 2024 at 12:30 a.m." }, "2024-12-25T00:30:00Z"],
  [{ data: "March 3rd, 2024" }, "2024-03-03T00:00:00Z"],
  [{ data: '"2024-01-02T03:04:05Z",' }, "2024-01-02T03:04:05Z"],
  [{ data: "1700000000," }, "2023-11-14T22:13:20Z"],
  [{ data: "yesterday", timeZone: "Asia/Tokyo" }, "2026-01-01T00:00:00+09:00"],
  [{ data: "noon" }, "2026-01-02T12:00:00Z"],
  [{ data: "1 day 2 hours ago", now: "2026-11-26T12:00:00Z" }, "2026-11-25T10:00:00Z"],
  [{ data: "in a week" }, "2026-01-09T03:04:05.678Z"],
  [{ data: "-1 month", now: "2026-03-31T12:00:00Z" }, "2026-02-28T12:00:00Z"],
  [{ data: "next friday", now: "2026-11-26T12:00:00Z" }, "2026-11-27T00:00:00Z"],
  [{ data: "last thursday", now: "2026-11-26T12:00:00Z" }, "2026-11-19T00:00:00Z"],
  [{ data: "next year" }, "2027-01-02T03:04:05.678Z"],
  // Identifiers: the example of KSUID's documentation, of Twitter's and of Discord's.
  [{ data: "0ujtsYcgvSTl8PAuAdqWYSMnLOv" }, "2017-10-10T04:00:47Z"],
  [{ data: "1212092628029698048", unit: "twitter-snowflake" }, "2019-12-31T19:26:16.771Z"],
  [{ data: "175928847299117063", unit: "discord-snowflake" }, "2016-04-30T11:18:25.796Z"],
  [{ data: "2016-12-31 23:59:60 +0000" }, "2017-01-01T00:00:00Z"],
  [{ data: "", now: "2020-02-29T12:00:00+01:00" }, "2020-02-29T11:00:00Z"],
])("%j", async (input, result) => {
  expect(await runTool(stamp, { ...input, to: "iso" })).toBe(result);
});

test("names what digits that are a date are as a number", async () => {
  const all = JSON.parse(await runTool(stamp, { data: "20240102030405" })) as object;
  expect(all).toMatchObject({
    format: "compact",
    utc: "2024-01-02T03:04:05Z",
    otherwise: { format: "unix-ms", utc: "2611-05-21T10:33:50.405Z" },
  });
  expect(JSON.parse(await runTool(stamp, { data: "1700000000" }))).not.toHaveProperty("otherwise");
});

test("a list of every format is a JSON list", async () => {
  const list = JSON.parse(await runTool(stamp, { data: "0\n133500000000000000" })) as { format: string }[];
  expect(list.map(({ format }) => format)).toEqual(["unix", "filetime"]);
  expect(await runTool(stamp, { data: "2024-01-17T21:20:00Z", to: "filetime" })).toBe("133500000000000000");
});

test.each([
  ["Mon Jan 15 10:30:00 CST 2024", "set timeZone to a name", 21],
  ["0\n2024-13-01", "Expected an existing date", 1],
  ["Mon Foo 15 10:30:00 2024 +0100", "Expected an existing date", 1],
  ["Mon Jan 32 10:30:00 2024 +0100", "Expected an existing date", 1],
  ['"Mon, 21 Oct 2015 07:28:00 GMT"', "2015-10-21 is a Wednesday", 2],
])("refuses %j", async (data, message, column) => {
  const refusal = await refusalOf(runTool(stamp, { data }));
  expect(refusal).toMatchObject({ code: "invalid_document", line: data.split("\n").length, column });
  expect(refusal.message).toContain(message);
});

test("takes at most 10,000 times", async () => {
  expect((await refusalOf(runTool(stamp, { data: "0\n".repeat(10_001), to: "iso" }))).message).toContain(
    "more than 10000 lines here",
  );
});

test.each([
  ["unix", "-2"],
  ["unix-ms", "-1500"],
  ["unix-us", "-1500000"],
  ["unix-ns", "-1500000000"],
  ["rfc7231", "Wed, 31 Dec 1969 23:59:58 GMT"],
  ["excel", "25568.99998264"],
  ["ticks", "621355967985000000"],
])("gives 1.5 seconds before 1970 as %s", async (to, result) => {
  expect(await runTool(stamp, { data: "-1.5", to })).toBe(result);
});

test.each([
  ["-62135596800", "0001-W01"],
  ["-62198755200", "-000002-W53"],
  ["253402300800", "9999-W52"],
  ["253402473600", "+010000-W01"],
])("the week of %s is %s", async (data, isoWeek) => {
  const all = JSON.parse(await runTool(stamp, { data, unit: "s" })) as object;
  expect(all).toMatchObject({ isoWeek });
});

test("returns all formats, in a time zone", async () => {
  const all = JSON.parse(
    await runTool(stamp, { data: "2027-01-01T00:00:00Z", timeZone: "America/New_York" }),
  ) as object;
  expect(all).toMatchObject({
    format: "iso",
    iso: "2026-12-31T19:00:00-05:00",
    utc: "2027-01-01T00:00:00Z",
    offset: "-05:00",
    weekday: "Thursday",
    dayOfYear: 365,
    isoWeek: "2026-W53",
    unix: "1798761600",
  });
});

test.each([
  [{ data: "2026-03-29T02:30", timeZone: "Europe/Berlin" }, "skip"],
  [{ data: "2026-10-25T02:30", timeZone: "Europe/Berlin" }, "twice"],
  [{ data: "2026-02-29" }, "exist"],
  [{ data: "Mon, 06 Nov 1994 08:49:37 GMT" }, "1994-11-06 is a Sunday"],
  [{ data: "Monday, 06-Nov-94 08:49:37 GMT" }, "1994-11-06 is a Sunday"],
  [{ data: "Fri Nov 20 2025 10:00:00 GMT+0100" }, "2025-11-20 is a Thursday"],
  [{ data: "3/4/2024" }, "set dateOrder"],
  [{ data: "12/25/24" }, "set dateOrder"],
  [{ data: "13/13/2024", dateOrder: "month-first" }, "Expected"],
  [{ data: "2024-W53" }, "Expected"],
  [{ data: "2023-366" }, "Expected"],
  [{ data: "2024-01-02 24:00:00" }, "does not exist"],
  [{ data: "2024-01-02 13:00 PM" }, "Expected"],
  [{ data: "2024-01-02 03:04:05 Mars/Crater" }, "The time zone Mars/Crater is unknown"],
  [{ data: "Thu, 22 Jun 2017 18:17:45 IST" }, "several time zones"],
  [{ data: "-1", unit: "discord-snowflake" }, "whole number"],
  [{ data: "5d" }, "Expected"],
  [{ data: "9".repeat(40) }, "100,000,000 days"],
  [{ data: "60", unit: "excel" }, "does not exist"],
  [{ data: "-100000", unit: "excel", to: "excel" }, "cannot be written"],
  [{ data: "999999999 years ago" }, "100,000,000 days"],
  [{ data: "2026-01-01T00:00[Nowhere/Land]" }, "time zone"],
  [{ data: "2026-01-01T00:00+09:00[Europe/Paris]" }, "Expected"],
  [{ data: "1e3" }, "Expected"],
])("%j is refused", async (input, message) => {
  const refusal = await refusalOf(runTool(stamp, input));
  expect(refusal).toMatchObject({
    code: "invalid_document",
    message: expect.stringContaining(message) as string,
  });
});

test("refuses a zone of several regions, and names them", async () => {
  const refusal = await refusalOf(runTool(stamp, { data: "0", timeZone: "IST" }));
  expect(refusal.code).toBe("invalid_input");
  expect(refusal.message).toContain("timeZone: IST is not the name of one zone; write Asia/Kolkata");
});

test("refuses a text longer than any time before it is read", async () => {
  const refusal = await refusalOf(runTool(stamp, { data: "A1 ".repeat(20_000) }));
  expect(refusal.code).toBe("invalid_document");
});

test("loses no nanosecond", async () => {
  const nanoseconds = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
  await fc.assert(
    fc.asyncProperty(
      nanoseconds,
      fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kolkata"),
      async (value, timeZone) => {
        const iso = await runTool(stamp, { data: String(value), unit: "ns", to: "iso", timeZone });
        // The offset of a zone before standard time has seconds, which ISO 8601 leaves out.
        fc.pre(!/:\d\d:\d\d$/.test(iso.slice(19)) && (timeZone === "UTC" || value > 0n));
        expect(await runTool(stamp, { data: iso, to: "unix-ns" })).toBe(String(value));
      },
    ),
  );
});
