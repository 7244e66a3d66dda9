import { expect, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { fromError, toAnswer, toTransfer } from "../../../src/catalog/remote.ts";

const travel = (error: unknown): unknown => {
  const message = structuredClone(fromError(error));
  if (message.kind === "ready") throw new Error("not an error");
  try {
    return toAnswer(message);
  } catch (arrived) {
    return arrived;
  }
};

test("a refusal arrives unchanged", () => {
  const refusal = new ToolError("invalid_document", "No", {
    errors: [{ message: "Here", line: 1 }],
    limit: 2,
  });
  const arrived = travel(refusal) as ToolError;
  expect(arrived).toBeInstanceOf(ToolError);
  expect(arrived).toMatchObject({ code: refusal.code, message: refusal.message, details: refusal.details });
});

test("a bug arrives with its stack, and not as a refusal", () => {
  const bug = new TypeError("x is not a function");
  expect(travel(bug)).toMatchObject({ message: bug.message, stack: bug.stack });
  expect(travel(bug)).not.toBeInstanceOf(ToolError);
  expect(travel("thrown text")).toMatchObject({ message: "thrown text" });
});

test.each([
  () => "x".repeat(2 ** 29),
  () => "x".repeat(2 ** 29 - 25).repeat(2),
  () => new Uint8Array(2 ** 53),
  () => Array.from({ length: 2 ** 32 }),
])("a value over the engine's limit is refused as too large: %s", (work) => {
  let thrown: unknown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  expect(travel(thrown)).toMatchObject({ code: "memory_exceeded" });
});

test("only a buffer that is not shared is transferred", () => {
  const own = new Uint8Array(8);
  expect(toTransfer(own)).toEqual([own.buffer]);
  expect(toTransfer(own.subarray(0, 4))).toEqual([]);
  expect(toTransfer(Buffer.from("pooled"))).toEqual([]);
  expect(toTransfer(new Uint8Array(new SharedArrayBuffer(8)))).toEqual([]);
  expect(toTransfer(new Uint8Array(0))).toEqual([]);
});
