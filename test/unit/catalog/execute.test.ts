import { describe, expect, test } from "vitest";
import { type Body, sizeOf } from "../../../src/catalog/execute.ts";

const input = (values: Record<string, unknown>): Body => ({ kind: "input", input: values });

describe("the size of a body of values", () => {
  test("counts the bytes of every text, in any field", () => {
    expect(sizeOf(input({ data: "abc", other: "é中😀", indent: 2, upper: true, missing: undefined }))).toBe(
      12,
    );
  });

  test("counts the contents of lists and JSON values", () => {
    expect(sizeOf(input({ data: "a", cidrs: ["10.0.0.0/8", "", "::/0"] }))).toBe(1 + 10 + 4 + 3);
    expect(sizeOf(input({ schema: { type: "object", required: ["a", null, 1] } }))).toBe(6 + 1 + 3 + 2);
  });

  test("counts the options beside a raw body", () => {
    const body = { kind: "raw", bytes: Buffer.from("abc"), text: true } as const;
    expect(sizeOf({ ...body, options: { required: ["abcd"] } })).toBe(3 + 4 + 1);
    expect(sizeOf({ ...body, options: [["indent", "2"]] })).toBeGreaterThan(3);
  });

  test("counts values of any depth and width", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(sizeOf(input({ schema: deep }))).toBe(100_001);
    expect(sizeOf(input({ cidrs: Array.from({ length: 1_000_000 }, () => "") }))).toBe(1_000_000);
  });
});
