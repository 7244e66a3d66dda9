import { describe, expect, test } from "vitest";
import { compare, type Outcome } from "./expect.ts";

const row = { case: "c", slug: "s", input: { data: "a b", a: "x<y", b: "x" }, expect: {} };
const answer = (text: string): Outcome => ({ kind: "answer", text });
const refusal: Outcome = { kind: "refusal", message: "No." };

// A comparison that accepts everything would make every suite green, so each kind must reject something.
describe("each kind of expectation", () => {
  test.each<[Record<string, unknown>, string, string]>([
    [{ result: "a" }, "a", "a\n"],
    [{ resultIgnoreCase: "AB" }, "ab", "abc"],
    [{ json: { a: [1, null] } }, '{"a":[1,null]}', '{"a":[1]}'],
    [{ json: { a: 1 } }, '{"a":1}', '{"a":1,"b":2}'],
    [{ json: { a: 1 } }, '{"a":1.0}', '{"a":"1"}'],
    [{ json: [] }, "[]", "{}"],
    [{ json: 0 }, "-0", "null"],
    [{ json: JSON.parse('{"__proto__":1}') as unknown }, '{"__proto__":1}', "{}"],
    [{ json: { $bigint: "9007199254740993" } }, "9007199254740993", "9007199254740992"],
    [{ json: { $float: "inf" } }, '"inf"', "null"],
    [{ json: 9007199254740992 }, "9007199254740993", "9007199254740999"],
    [{ jsonAnyOf: [[1], [2]] }, "[2]", "[3]"],
    [{ jsonSeq: [1, 2] }, "[1,2]", "[1]"],
    [{ jsonPartial: { a: 1 } }, '{"a":1,"b":2}', '{"b":2}'],
    [{ fields: { a: { b: 1 } } }, '{"a":{"b":1}}', '{"a":{}}'],
    [{ bool: true }, "true", "false"],
    [{ valid: false }, "false", "true"],
    [{ match: "/\\u00C7/" }, "Ç", "C"],
    [{ matches: [{ match: "a", index: 1 }] }, '{"matches":[{"match":"a","index":1}]}', '{"matches":[]}'],
    [{ firstRun: "2026-01-01T00:00:00Z" }, '{"runs":["2026-01-01T00:00:00Z"]}', '{"runs":[]}'],
    [{ firstRunNot: "2026-01-01T00:00:00Z" }, '{"runs":[]}', '{"runs":["2026-01-01T00:00:00Z"]}'],
    [{ date: "2026-01-01T00:00:00.0000000+01:00" }, "2025-12-31T23:00:00Z", "2026-01-01T00:00:00Z"],
    [{ result: "ab", tokensKept: true }, "a\nb", "a c"],
    [{ xml: "" }, "x<del>&lt;y</del>", "x<del>y</del>"],
    [
      { unified: "" },
      "@@ -1 +1 @@\n-x<y\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n",
      "",
    ],
    [{ openssl: "serial=1\n" }, "serial=1", "serial=2"],
  ])("%j accepts %s and rejects %s", (expected, right, wrong) => {
    expect(compare(expected, answer(right), row)).toBeUndefined();
    expect(compare(expected, answer(wrong), row)).toMatch(/^gave/);
    expect(compare(expected, refusal, row)).toMatch(/^refused/);
  });
});

test("a refusal has a message, an answer has none", () => {
  expect(compare({ error: true, was: "Bad." }, refusal, row)).toBeUndefined();
  expect(compare({ status4xx: true }, refusal, row)).toBeUndefined();
  expect(compare({ error: true }, { kind: "refusal", message: "" }, row)).toBe("refused without a word");
  expect(compare({ error: true }, answer("x"), row)).toBe("accepted: x");
  expect(compare({ either: true }, answer("x"), row)).toBeUndefined();
  expect(compare({ either: true }, refusal, row)).toBeUndefined();
  expect(compare({ ok: true }, refusal, row)).toBe("refused: No.");
});

test("a bug never matches an expectation", () => {
  const bug: Outcome = { kind: "bug", message: "TypeError" };
  for (const expected of [{ error: true }, { either: true }, { ok: true }])
    expect(compare(expected, bug, row)).toBe("crashed: TypeError");
});

test("a verdict is compared with the row's verdict on the document", () => {
  const verdict = (valid: boolean): Outcome => ({ kind: "answer", text: "", verdict: valid });
  for (const expected of [{ valid: true }, { ok: true }, { json: 1 }, { bool: true }]) {
    expect(compare(expected, verdict(true), row)).toBeUndefined();
    expect(compare(expected, verdict(false), row)).toBe("reported invalid");
  }
  for (const expected of [{ valid: false }, { error: true }, { status4xx: true }]) {
    expect(compare(expected, verdict(false), row)).toBeUndefined();
    expect(compare(expected, verdict(true), row)).toBe("reported valid");
  }
});

test("an unknown expectation is an error", () => {
  expect(() => compare({ rhymes: true }, answer("x"), row)).toThrow("rhymes");
});
