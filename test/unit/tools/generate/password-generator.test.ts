import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/generate/password-generator.ts";
import { chanceOfAll, drawPassword } from "../../../../src/lib/random/password.ts";
import { createDraw } from "../../../../src/lib/random/draw.ts";
import { createSeededRandom } from "../../../../src/lib/seeded-random.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const patterns = { upper: /[A-Z]/, lower: /[a-z]/, digits: /\d/, symbols: /[^A-Za-z\d]/ };

test("contains every requested class, no other class, and no excluded character", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        length: fc.integer({ min: 4, max: 512 }),
        upper: fc.boolean(),
        lower: fc.boolean(),
        digits: fc.boolean(),
        symbols: fc.boolean(),
        count: fc.integer({ min: 1, max: 20 }),
        seed: fc.string({ maxLength: 8 }),
      }),
      async (input) => {
        fc.pre(input.upper || input.lower || input.digits || input.symbols);
        const exclude = "0Oo1lI!.";
        const passwords = (await runTool(tool, { ...input, exclude, unsafe: true })).split("\n");
        expect(passwords).toHaveLength(input.count);
        for (const password of passwords) {
          expect(password).toHaveLength(input.length);
          expect([...password].some((character) => exclude.includes(character))).toBe(false);
          for (const [name, pattern] of Object.entries(patterns))
            expect(pattern.test(password)).toBe(input[name as keyof typeof patterns]);
        }
      },
    ),
  );
});

test("all passwords that qualify are equally likely: no class has a fixed position", () => {
  const draw = createDraw(createSeededRandom("uniform"));
  const counts = new Map<string, number>();
  for (let index = 0; index < 60_000; index++) {
    const password = drawPassword(draw, [["a", "b"], ["1"]], 3);
    counts.set(password, (counts.get(password) ?? 0) + 1);
  }
  // 27 texts of three characters, minus 8 of letters only and 1 of digits only.
  expect(counts.size).toBe(18);
  for (const count of counts.values())
    expect(Math.abs(count - 60_000 / 18)).toBeLessThan(6 * Math.sqrt(60_000 / 18));
  expect(chanceOfAll([2, 1], 3)).toBeCloseTo(18 / 27, 10);
});

test("a seed is refused unless it is allowed as unsafe", async () => {
  expect(await refusalOf(runTool(tool, { seed: "a" }))).toMatchObject({
    code: "invalid_input",
    pointer: "/seed",
  });
  const first = await runTool(tool, { seed: "a", unsafe: true });
  expect(await runTool(tool, { seed: "a", unsafe: true })).toBe(first);
  expect(await runTool(tool, { unsafe: true })).not.toBe(first);
});

test.each([
  [{ upper: false, lower: false, digits: false, symbols: false }, "/upper"],
  [{ exclude: "0123456789" }, "/exclude"],
  [{ length: 3 }, "/length"],
  [{ length: 513 }, "/length"],
  [{ length: 4, exclude: "ABCDEFGHIJKLMNOPQRSTUVWXY012345678!#$%&()*+,-./:;<=>?@[]^_{|}" }, "/length"],
  [{ count: 1001 }, "/count"],
])("%j is refused at %s", async (input, pointer) => {
  expect(await refusalOf(runTool(tool, input))).toMatchObject({ code: "invalid_input", pointer });
});
