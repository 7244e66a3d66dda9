import { expect, test } from "vitest";
import { findCircles } from "../../../src/lib/find-circles.ts";

const circlesOf = (links: Readonly<Record<string, string>>): string[] => {
  const of = (name: string): [string, string][] | undefined =>
    Object.hasOwn(links, name)
      ? Array.from(links[name] ?? "", (to): [string, string] => [to, `${name}${to}`])
      : undefined;
  return Array.from(
    findCircles(Object.keys(links), of),
    ({ names, closing }) => `${names.join("")} ${closing}`,
  );
};

test.each<[links: Readonly<Record<string, string>>, circles: string[]]>([
  [{ a: "b", b: "c", c: "" }, []],
  [{ a: "bc", b: "d", c: "d", d: "" }, []],
  [{ a: "a" }, ["a aa"]],
  [{ a: "b", b: "a" }, ["ab ba"]],
  [{ a: "b", b: "c", c: "bd", d: "d" }, ["bc cb", "d dd"]],
  [{ a: "bc", b: "a", c: "a" }, ["ab ba", "ac ca"]],
  [{ a: "zb", b: "" }, []],
])("%j has %j", (links, circles) => {
  expect(circlesOf(links)).toEqual(circles);
});

test("a chain of 100,000 names takes no stack", () => {
  const size = 100_000;
  const names = Array.from({ length: size }, (_, n) => String(n));
  const [circle, ...others] = findCircles(names, (name) => [[String((Number(name) + 1) % size), name]]);
  expect(circle?.names).toHaveLength(size);
  expect(circle?.closing).toBe(String(size - 1));
  expect(others).toEqual([]);
});
