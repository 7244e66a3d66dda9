import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { percentile, ratios, toFigure, toTable, verdictOf } from "../../bench/figures.ts";

describe("figures", () => {
  it("takes the median of the rounds and shows the lowest and the highest", () => {
    expect(toFigure("http", "penknife / bare", "×", [0.7, 0.5, 0.6], { atLeast: 0.5 })).toEqual({
      part: "http",
      name: "penknife / bare",
      unit: "×",
      value: 0.6,
      spread: [0.5, 0.7],
      atLeast: 0.5,
    });
    expect(toFigure("http", "even", "×", [1, 2, 4, 8]).value).toBe(3);
  });

  it("compares each round with the same round of the other server", () => {
    expect(ratios([1, 9], [2, 3])).toEqual([0.5, 3]);
  });

  it("takes the nearest rank as a percentile", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1).toReversed();
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.99)).toBeNaN();
  });

  it.each([
    [{ atLeast: 0.5 }, 0.5, "pass"],
    [{ atLeast: 0.5 }, 0.49, "MISS"],
    [{ above: 1 }, 1, "MISS"],
    [{ above: 1 }, 1.01, "pass"],
    [{ atMost: 15 }, 15, "pass"],
    [{ atMost: 15 }, 15.1, "MISS"],
    [{ atMost: 15 }, Number.NaN, "MISS"],
    [{}, 3, ""],
  ] as const)("classifies %j at %d as %j", (target, value, verdict) => {
    expect(verdictOf(toFigure("part", "name", "ms", [value], target))).toBe(verdict);
  });

  it("prints a missed target as missed", () => {
    const table = toTable([toFigure("http", "penknife / bare", "×", [0.4, 0.3, 0.5], { atLeast: 0.5 })]);
    expect(table.split("\n")[1]).toBe("http  penknife / bare  0.40 ×  0.30 … 0.50  ≥ 0.5   MISS");
  });
});

describe("peers", () => {
  it("have exact versions and no registry address", () => {
    const read = (name: string): string =>
      readFileSync(new URL(`../../bench/peers/${name}`, import.meta.url), "utf8");
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
      string,
      Record<string, string>
    >;
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read("package-lock.json")).not.toContain('"resolved"');
  });
});
