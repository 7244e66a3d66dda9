import { expect, test } from "vitest";
import { toJsonAnswer } from "../../../src/catalog/execute.ts";

const million = 1024 * 1024;

test.each([
  ["short", 'a"\n\ud800'],
  ["of quotes", '"'.repeat(3 * million)],
  ["of pairs, one of which a piece would cut", `x${"😀".repeat(2 * million)}`],
  ["with half a pair at the end of a piece", `${"a".repeat(million - 1)}\ud800${"b".repeat(million)}`],
  ["of control characters", "\u0001\u2028é".repeat(million)],
])("%s is written as JSON.stringify writes it", (_, text) => {
  const written = toJsonAnswer(text);
  const expected = JSON.stringify({ result: text });
  expect((typeof written === "string" ? written : Buffer.from(written).toString()) === expected).toBe(true);
});
