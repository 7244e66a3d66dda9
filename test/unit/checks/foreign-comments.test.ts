import { expect, test } from "vitest";
import { findForeignComments } from "../../../src/checks/foreign-comments.ts";
import { startCost } from "../../cost/start-cost.ts";

test("finds the lines that each comment is for", () => {
  const text = `a # yamllint disable-line rule:x
# yamllint disable rule:x rule:y
b # gitleaks:allow
# yamllint enable rule:x
# pragma: allowlist nextline secret
c
`;
  expect(findForeignComments(text).map(({ program, from, to, rules }) => [program, from, to, rules])).toEqual(
    [
      ["yamllint", 1, 1, ["x"]],
      ["gitleaks", 3, 3, "all"],
      ["yamllint", 2, 4, ["x", "y"]],
      ["detect-secrets", 6, 6, "all"],
      ["yamllint", 5, 7, ["y"]],
    ],
  );
});

test("finds none in other words, in long lines, and where a program reads none", () => {
  const long = `${"a".repeat(10_001)} # yamllint disable-line\n`;
  for (const text of [
    "# yamllint disabled\n",
    "# yamllint disable-line rule:x why\n",
    "a# yamllint disable-line\n",
    "pragma: allowlist secret\n",
    "a # dotenv-linter:off X\n",
    "\n# yamllint disable-file\n",
    long,
  ])
    expect(findForeignComments(text), text.slice(0, 40)).toEqual([]);
});

test.each([
  ["comments", "a # yamllint disable-line rule:x\n"],
  ["ranges", "# yamllint disable rule:x rule:y\n"],
  ["ranges that nothing ends", "# yamllint enable rule:z\n"],
  ["rules in turn", "# yamllint disable rule:x\n# yamllint enable rule:x\n"],
])("takes time by the length of the text, and keeps at most ten thousand: %s", (_, unit) => {
  const measure = (count: number): number => {
    const text = `${"# yamllint disable rule:a\n".repeat(100)}${unit.repeat(count)}`;
    const cost = startCost();
    expect(findForeignComments(text).length).toBeLessThan(10_300);
    return cost();
  };
  measure(100);
  expect(measure(40_000)).toBeLessThan(Math.max(40, measure(4000) * 40));
});
