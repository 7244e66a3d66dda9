import * as fc from "fast-check";
import { expect, test } from "vitest";
import zone from "../../../../src/tools/time/timezone-converter.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  [
    { data: "2026-07-01T12:00", from: "Europe/London", to: "Asia/Kathmandu" },
    "2026-07-01T16:45:00+05:45[Asia/Kathmandu]",
  ],
  [
    { data: "2026-07-01", from: "UTC", to: "America/Los_Angeles" },
    "2026-06-30T17:00:00-07:00[America/Los_Angeles]",
  ],
  [
    { data: "2026-03-29T02:30", from: "Europe/Berlin", to: "Europe/Berlin", disambiguation: "compatible" },
    "2026-03-29T03:30:00+02:00[Europe/Berlin]",
  ],
  [
    { data: "2026-03-29T02:30", from: "Europe/Berlin", to: "Europe/Berlin", disambiguation: "earlier" },
    "2026-03-29T01:30:00+01:00[Europe/Berlin]",
  ],
  [
    { data: "2026-10-25T02:30", from: "Europe/Berlin", to: "UTC", disambiguation: "earlier" },
    "2026-10-25T00:30:00+00:00[UTC]",
  ],
  [{ data: "2026-10-25T02:30+01:00", from: "Europe/Berlin", to: "UTC" }, "2026-10-25T01:30:00+00:00[UTC]"],
  [{ data: "2026-10-25T02:30Z", from: "Europe/Berlin", to: "-03:00" }, "2026-10-24T23:30:00-03:00[-03:00]"],
  [
    { data: "2026-01-01T00:00:00.123456789", from: "UTC", to: "UTC" },
    "2026-01-01T00:00:00.123456789+00:00[UTC]",
  ],
  [{ data: "2026-01-01 3:00 PM", from: "America/New_York", to: "JST" }, "2026-01-02T05:00:00+09:00[+09:00]"],
  [{ data: "2026-01-01 12am", from: "est", to: "utc" }, "2026-01-01T05:00:00+00:00[UTC]"],
  // An abbreviation is an offset, in summer too.
  [{ data: "2026-07-01T12:00", from: "PST", to: "UTC" }, "2026-07-01T20:00:00+00:00[UTC]"],
])("%j", async (input, result) => {
  expect(await runTool(zone, input)).toBe(result);
});

test.each([
  [{ data: "2026-03-29T02:30", from: "Europe/Berlin", to: "UTC" }, "invalid_document"],
  [{ data: "2026-10-25T02:30", from: "Europe/Berlin", to: "UTC" }, "invalid_document"],
  [{ data: "2026-01-01T00:00+02:00", from: "Europe/Berlin", to: "UTC" }, "invalid_document"],
  [{ data: "2026-01-01T00:00[UTC]", from: "UTC", to: "UTC" }, "invalid_document"],
  [{ data: "2026-02-30T00:00", from: "UTC", to: "UTC" }, "invalid_document"],
  [{ data: "+275760-09-13T00:00", from: "-12:00", to: "UTC" }, "invalid_document"],
  [{ data: "2026-01-01 13:00 PM", from: "UTC", to: "UTC" }, "invalid_document"],
  [{ data: "2026-01-01T00:00", from: "BST", to: "UTC" }, "invalid_input"],
  [{ data: "2026-01-01T00:00", from: "CET+1", to: "UTC" }, "invalid_input"],
  [{ data: "2026-01-01T00:00", from: "UTC", to: "" }, "invalid_input"],
])("%j is refused", async (input, code) => {
  expect((await refusalOf(runTool(zone, input))).code).toBe(code);
});

test("converts to another zone and back without loss", async () => {
  const zones = fc.constantFrom("UTC", "Asia/Tokyo", "Asia/Kathmandu", "+13:45");
  const date = fc.date({ min: new Date("1990-01-01"), max: new Date("2050-01-01"), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(date, zones, zones, async (when, from, to) => {
      const data = when.toISOString().slice(0, 19);
      const there = await runTool(zone, { data, from, to });
      const back = await runTool(zone, { data: there.slice(0, 19), from: to, to: from });
      expect(back.slice(0, 19)).toBe(data);
    }),
  );
});
