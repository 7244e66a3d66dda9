import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSeededRandom } from "../../../src/lib/seeded-random.ts";
import { createDraw } from "../../../src/lib/random/draw.ts";
import { shuffle } from "../../../src/lib/random/shuffle.ts";

// Computed independently from the definition; changing one breaks reproducibility.
const blocks: [string, string][] = [
  ["", "5c5d42dcf39f71c0226ca720d8d518db615b5773f038e5e491963f6f47621bbd"],
  ["golden file", "167a7ec7e06549fd34cebb55436402a6cca0f6b0342e51f0f9d4e37bb8f35f28"],
  ["penknife", "8a949fbf1b817d2fbfd5c4d27333303f27cc8f7b9f2ae8f084f4a533b27a32b7"],
  ["Zażółć 👋", "fb1edf9303af758779fd55477381d54670018af65e6df0dc86691861875c793b"],
];

test.each(blocks)("the stream of %j is the documented one", (seed, block) => {
  expect(createSeededRandom(seed)(32).toHex()).toBe(block);
  expect(readFileSync(new URL("../../../docs/reproducible.md", import.meta.url), "utf8")).toContain(
    `| ${seed === "" ? "the empty text" : `\`${seed}\``} | \`${block}\` |`,
  );
});

test("a million bytes", () => {
  const bytes = createSeededRandom("golden file")(1_000_000);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(
    "93a30ff2222a59e55ba38bc7c918e42ede3353d4d77052860a0459c11b4d117f",
  );
});

test("the sizes of the calls do not change the stream", () => {
  const whole = createSeededRandom("é")(100);
  const random = createSeededRandom("é");
  const parts = [0, 1, 31, 1, 40, 27].map((size) => random(size));
  expect(Buffer.concat(parts)).toEqual(Buffer.from(whole));
});

test("draws and shuffles from the stream are fixed too", () => {
  const draw = createDraw(createSeededRandom("golden file"));
  // 0x16, 0x7a, 0x7e, 0xc7, … modulo 10; numbers above 250 are skipped.
  expect(Array.from({ length: 12 }, () => draw(10))).toEqual([2, 2, 6, 9, 4, 1, 3, 2, 6, 7, 5, 7]);
  const wide = createDraw(createSeededRandom("golden file"));
  // 0x167a7e, 0xc7e065, 0x49fd34 modulo 1000.
  expect([wide(1000), wide(1000), wide(1000)]).toEqual([150, 109, 948]);
  // 0x167a7ec7 modulo 5, 0xe06549fd modulo 4, 0x34cebb55 modulo 3, 0x436402a6 modulo 2.
  expect(shuffle([..."abcde"], createSeededRandom("golden file"))).toEqual(["d", "a", "c", "b", "e"]);
});
