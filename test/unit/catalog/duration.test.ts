import { expect, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { parseDuration, parseExpiry, parseSince } from "../../../src/catalog/duration.ts";

test.each([
  ["1s", 1_000],
  ["30m", 1_800_000],
  ["24h", 86_400_000],
  ["90d", 7_776_000_000],
  ["2w", 1_209_600_000],
  ["99999s", 99_999_000],
])("%s is %d milliseconds", (text, milliseconds) => {
  expect(parseDuration(text, "/since")).toBe(milliseconds);
});

test.each(["0h", "00d", "100000h", "1", "h", "1y", "-1h", "1.5h", "1 h", "1h ", ""])(
  "%j is refused as a duration",
  (text) => {
    expect(() => parseDuration(text, "/since")).toThrow(ToolError);
  },
);

test("an expiry is a duration from now, or an instant", () => {
  expect(parseExpiry("1d", 1_000, "/expires")).toBe(86_401_000);
  expect(parseExpiry("1970-01-02T00:00:00Z", 1_000, "/expires")).toBe(86_400_000);
  for (const text of ["0d", "tomorrow", "1970-01-02", "1970-13-02T00:00:00Z"])
    expect(() => parseExpiry(text, 1_000, "/expires")).toThrow(ToolError);
});

test("minutes of an expiry are written min, because m may be months", () => {
  expect(parseExpiry("3min", 1_000, "/expires")).toBe(181_000);
  expect(() => parseExpiry("3m", 1_000, "/expires")).toThrow(
    'expires must be 3min for minutes or 90d for months; got "3m".',
  );
});

test("since is a duration before now, a date, or an instant", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  expect(parseSince("2h", now, "/since")).toBe(Date.parse("2026-03-01T10:00:00Z"));
  expect(parseSince("2026-02-28", now, "/since")).toBe(Date.parse("2026-02-28T00:00:00Z"));
  expect(parseSince("2026-02-28T01:00+01:00", now, "/since")).toBe(Date.parse("2026-02-28T00:00:00Z"));
  for (const text of ["2026-02-29", "2026-03-02", "28.02.2026"])
    expect(() => parseSince(text, now, "/since")).toThrow(ToolError);
});

test.each([
  ["grace", "5", () => parseDuration("5", "/grace")],
  ["expires", "5", () => parseExpiry("5", 1_000, "/expires")],
  ["since", "soon", () => parseSince("soon", 1_000, "/since")],
])("a refusal of %s names the field and the value", (field, text, parse) => {
  const sentence = new RegExp(`^${field} must be a .*; got "${text}"\\.$`);
  expect(parse).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(sentence) as string,
      details: {
        errors: [{ message: expect.stringMatching(/^Must be a /) as string, pointer: `/${field}` }],
      },
    }),
  );
});
