import { expect, test } from "vitest";
import { parseRetryAfter } from "../../../../src/lib/webhook/retry-after.ts";

const now = Date.parse("2026-11-21T12:00:00.250Z");
const longest = 12 * 3_600_000;

test.each<[string | undefined, number | undefined]>([
  ["0", 0],
  ["120", 120_000],
  [" 7 ", 7000],
  ["007", 7000],
  // RFC 9110 §5.6.7: the three forms of a date.
  ["Sat, 21 Nov 2026 12:01:00 GMT", 59_750],
  ["Saturday, 21-Nov-26 12:01:00 GMT", 59_750],
  ["Sat Nov 21 12:01:00 2026", 59_750],
  ["Sat, 21 Nov 2026 11:59:00 GMT", 0],
  // Very large: limited to half a day.
  ["43200", longest],
  ["43201", longest],
  ["99999999999999999999", longest],
  ["9".repeat(5000), longest],
  ["Fri, 31 Dec 9999 23:59:59 GMT", longest],
  // Neither seconds nor a date.
  [undefined, undefined],
  ["", undefined],
  ["-1", undefined],
  ["+5", undefined],
  ["1.5", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["Infinity", undefined],
  ["soon", undefined],
  ["5 seconds", undefined],
  ["2026-11-21T12:01:00Z", undefined],
  ["Sun, 21 Nov 2026 12:01:00 GMT", undefined],
  ["Sat, 31 Nov 2026 12:01:00 GMT", undefined],
  [`Sat, ${" ".repeat(100_000)}21 Nov 2026 12:01:00 GMT`, undefined],
])("Retry-After: %.40s", (text, wanted) => {
  expect(parseRetryAfter(text, now)).toBe(wanted);
});
