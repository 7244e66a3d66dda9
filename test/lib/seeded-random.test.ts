import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createSeededRandom } from "../../src/lib/seeded-random.ts";

test("the stream is the one that is documented, and will be for ever", () => {
  const key = createHash("sha256").update("penknife").digest();
  const block = (n: number): Buffer =>
    createHash("sha256")
      .update(key)
      .update(Buffer.from([0, 0, 0, 0, 0, 0, 0, n]))
      .digest();
  const expected = Buffer.concat([block(0), block(1), block(2)]);
  expect(Buffer.from(createSeededRandom("penknife")(96))).toEqual(expected);
  expect(expected.subarray(0, 8).toString("hex")).toBe("8a949fbf1b817d2f");
});

test("how the bytes are asked for changes nothing", () => {
  const whole = createSeededRandom("é")(100);
  const random = createSeededRandom("é");
  const parts = [0, 1, 31, 1, 40, 27].map((size) => random(size));
  expect(Buffer.concat(parts)).toEqual(Buffer.from(whole));
});
