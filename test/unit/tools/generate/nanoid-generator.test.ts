import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/generate/nanoid-generator.ts";
import { createDraw } from "../../../../src/lib/random/draw.ts";
import { createSeededRandom } from "../../../../src/lib/seeded-random.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const list = async (input: Record<string, unknown>): Promise<string[]> =>
  (await runTool(tool, input)).split("\n");

test("21 URL-safe characters, all ids distinct", async () => {
  const ids = await list({ count: 5000, seed: "s" });
  for (const id of ids) expect(id).toMatch(/^[\w-]{21}$/);
  expect(new Set(ids).size).toBe(5000);
});

test("accepts an alphabet of any size, with characters beyond the BMP", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }), {
        minLength: 2,
        maxLength: 90,
      }),
      fc.integer({ min: 1, max: 40 }),
      async (characters, length) => {
        fc.pre(!characters.includes(" "));
        const alphabet = `${characters.join("")}😀`;
        const [id = ""] = await list({ alphabet, length, seed: "s" });
        expect([...id]).toHaveLength(length);
        expect([...id].every((character) => alphabet.includes(character))).toBe(true);
      },
    ),
  );
});

test.each([3, 10, 62, 200, 256, 300])("each of %s numbers is equally likely", (limit) => {
  const draw = createDraw(createSeededRandom("draw"));
  const counts = Array.from({ length: limit }, () => 0);
  const rounds = limit * 1000;
  for (let index = 0; index < rounds; index++) {
    const value = draw(limit);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  // Six standard deviations: a bias of one in 256 would exceed them for the small ones.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(6 * Math.sqrt(1000));
});

test("bytes above the last multiple are drawn again, because their remainder would favour the first characters", () => {
  const draw = createDraw((size) =>
    Uint8Array.from({ length: size }, (_, index) => (index % 2 === 0 ? 250 : 7)),
  );
  for (let index = 0; index < 100; index++) expect(draw(62)).toBe(7);
});

test.each([
  [{ alphabet: "a" }, "/alphabet"],
  [{ alphabet: "aa" }, "/alphabet"],
  [{ alphabet: "ab\n" }, "/alphabet"],
  [{ alphabet: "ab\u202E" }, "/alphabet"],
  [{ alphabet: "ab\uD800" }, "/alphabet"],
  [
    { alphabet: String.fromCodePoint(...Array.from({ length: 257 }, (_, index) => 0x4e00 + index)) },
    "/alphabet",
  ],
  [{ length: 0 }, "/length"],
  [{ length: 513 }, "/length"],
  [{ count: 10_001 }, "/count"],
  [{ count: 1000, length: 501 }, "/count"],
])("%j is refused at %s", async (input, pointer) => {
  expect(await refusalOf(runTool(tool, input))).toMatchObject({ code: "invalid_input", pointer });
});
