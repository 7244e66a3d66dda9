import { expect, test } from "vitest";
import { toColonHex } from "../../../../src/lib/x509/hex.ts";

test.each([
  [Buffer.of(), ""],
  [Buffer.of(10), "0A"],
  [Buffer.of(0, 171, 205), "00:AB:CD"],
  ["0", "00"],
  ["0a1B", "0A:1B"],
  ["-0A1B", "-0A:1B"],
])("%j is %s", (bytes, text) => {
  expect(toColonHex(bytes)).toBe(text);
});
