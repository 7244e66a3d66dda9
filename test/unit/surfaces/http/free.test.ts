import { expect, test } from "vitest";
import { free } from "../../../../src/surfaces/http/free.ts";

test("bytes that own their buffer are freed", () => {
  const bytes = Buffer.allocUnsafeSlow(100_000);
  free(bytes);
  expect(bytes.length).toBe(0);
  expect(bytes.buffer).toMatchObject({ detached: true });
});

test("a view of a part leaves the buffer to its other users", () => {
  const whole = new Uint8Array(100).fill(7);
  free(whole.subarray(0, 50));
  free(Buffer.from(whole.buffer, 50));
  expect(whole).toEqual(new Uint8Array(100).fill(7));
  const pooled = Buffer.from("of the pool");
  free(pooled);
  expect(pooled.toString()).toBe("of the pool");
});

test("shared memory is not touched", () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(16));
  free(bytes);
  expect(bytes.length).toBe(16);
});
