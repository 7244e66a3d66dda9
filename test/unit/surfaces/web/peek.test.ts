import { expect, test } from "vitest";
import { toPeek } from "../../../../src/surfaces/web/page/home/peek.ts";

test("a token shows its claims with times as people read them, and that it has expired", () => {
  const result = JSON.stringify({
    header: { alg: "HS256", typ: "JWT" },
    payload: { sub: "jane", roles: ["a", "b"], exp: 1735689600, more: 1 },
    signature: "x",
    times: { exp: "2025-01-01T00:00:00.000Z" },
    expired: true,
  });
  expect(toPeek(result, "")).toEqual({
    badge: { text: expect.stringMatching(/^Expired \d+ years? ago$/) as unknown, kind: "bad" },
    rows: [
      { label: "Algorithm", text: "HS256" },
      { label: "Subject", text: "jane" },
      { label: "Expires", text: "2025-01-01 00:00 UTC" },
      { label: "roles", text: "a, b" },
    ],
  });
});

test("what only repeats the input is left out", () => {
  const { rows } = toPeek('{"expression":"0 0 * * *","description":"At 12:00 AM"}', "0 0 * * *\n");
  expect(rows).toEqual([{ label: "description", text: "At 12:00 AM" }]);
});

test("a report shows how many findings there are, and the first with their places", () => {
  const error = { message: "No.", severity: "error", rule: "r", line: 2, column: 1, offset: 3, pointer: "" };
  expect(toPeek(JSON.stringify({ valid: false, errors: [error] }), "")).toEqual({
    badge: { text: "1 finding", kind: "bad" },
    rows: [{ label: "Line 2, column 1", text: "No." }],
  });
  expect(toPeek('{"valid":true,"errors":[]}', "")).toEqual({
    badge: { text: "Valid", kind: "ok" },
    rows: [],
  });
});

test.each([
  ["a\nb\nc\nd\ne", ["a", "b", "c", "d"]],
  ["[1,2]", ["[1,2]"]],
  ["{not json", ["{not json"]],
  ["x".repeat(500), ["x".repeat(200)]],
])("the beginning of %j is its first lines", (text, lines) => {
  expect(toPeek(text, "")).toEqual({ rows: lines.map((line) => ({ label: "", text: line })) });
});

test("bytes are counted", () => {
  expect(toPeek(new Uint8Array(1), "").rows).toEqual([{ label: "Bytes", text: "1 byte" }]);
});

test("a table shows its columns and its first rows", () => {
  const people = [
    { name: "Ana", age: 30 },
    { name: "Jun", age: 25 },
  ];
  expect(toPeek(JSON.stringify(people), "").rows).toEqual([
    { label: "2 rows", text: "name · age" },
    { label: "1", text: "Ana · 30" },
    { label: "2", text: "Jun · 25" },
  ]);
});

test("an image is shown as an image, with its size", () => {
  const png = Uint8Array.fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  );
  expect(toPeek(png, "")).toEqual({
    rows: [{ label: "PNG", text: "1 × 1, 70 bytes" }],
    picture: { type: "image/png", body: png },
  });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  expect(toPeek(svg, "")).toEqual({ rows: [], picture: { type: "image/svg+xml", body: svg } });
});
