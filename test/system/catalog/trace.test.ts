import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ErrorCode, errorCodes, ToolError } from "../../../src/catalog/errors.ts";
import { parseInput } from "../../../src/catalog/input.ts";

// The test runner raises the limit, with which every error has a trace.
const { stackTraceLimit } = Error;
beforeEach(() => {
  Error.stackTraceLimit = 10;
});
afterEach(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

const hasTrace = ({ stack = "" }: Error): boolean => stack.includes("\n    at ");

describe("the trace of an error", () => {
  test.each(Object.keys(errorCodes) as ErrorCode[])("%s: only faults of the server have one", (code) => {
    const error = new ToolError(code, "a message");
    expect([error.message, error.code, error.name]).toEqual(["a message", code, "ToolError"]);
    expect(hasTrace(error)).toBe(errorCodes[code].status >= 500);
    expect(Error.stackTraceLimit).toBe(10);
  });

  test("an input that its schema refuses costs none, and whatever is thrown later has one", () => {
    const limits: number[] = [];
    const data = z.string().refine(() => {
      limits.push(Error.stackTraceLimit);
      return false;
    });
    expect(() => parseInput({ input: z.object({ data }) } as never, { data: "a" })).toThrow(ToolError);
    expect(limits).toEqual([0]);
    expect(hasTrace(new Error("a bug"))).toBe(true);
  });

  test("a limit that was raised stays, and gives refusals a trace", () => {
    Error.stackTraceLimit = 50;
    expect(hasTrace(new ToolError("bad_json", "a message"))).toBe(true);
    expect(Error.stackTraceLimit).toBe(50);
  });
});
