import { expect, test } from "vitest";
import { createAddedTest } from "../../../src/checks/added-comments.ts";
import { findIgnoreComments } from "../../../src/checks/ignore-comments.ts";

/** The lines of the comments that are new. */
function addedLines(text: string, before: string | undefined, name = "a.yaml"): number[] {
  const isAdded = createAddedTest(name, text, before);
  return findIgnoreComments(name, text)
    .filter(isAdded)
    .map(({ line }) => line);
}

const above = (value: string, reason = "why") => `# penknife-ignore t/r ${reason}\na: ${value}\n`;
const beside = (value: string, reason = "why") => `a: ${value} # penknife-ignore t/r ${reason}\n`;

test.each<[name: string, text: string, before: string | undefined, added: number[]]>([
  ["nothing has changed", above("1"), above("1"), []],
  ["there was no file", above("1") + beside("2"), undefined, [1, 3]],
  ["the file had no comment", beside("1"), "a: 1\n", [1]],
  ["lines above are new", `b: 1\n\n${above("1")}`, above("1"), []],
  ["lines are indented anew, with other ends", `  # penknife-ignore t/r why\r\n    a: 1\r\n`, above("1"), []],
  ["the line below is another", above("2"), above("1"), [1]],
  ["the line is another", beside("2"), beside("1"), [1]],
  ["the reason is another", beside("1", "because"), beside("1"), [1]],
  ["the rule is another", beside("1").replace("t/r", "t/s"), beside("1"), [1]],
  ["one becomes two", beside("1") + beside("1"), beside("1"), [2]],
  ["two become one", beside("1"), beside("1") + beside("1"), []],
  ["a comment above becomes one beside", beside("1"), above("1"), [1]],
  ["two change places", above("2", "b") + above("1", "a"), above("1", "a") + above("2", "b"), []],
  ["two exchange their lines", above("2", "a") + above("1", "b"), above("1", "a") + above("2", "b"), [1, 3]],
])("%s", (_, text, before, added) => {
  expect(addedLines(text, before)).toEqual(added);
});

test("the comments of the earlier version are those of the same format", () => {
  expect(
    addedLines(
      '{ "a": 1 } // penknife-ignore t/r why\n',
      '{ "a": 1 } // penknife-ignore t/r why\n',
      "a.jsonc",
    ),
  ).toEqual([]);
});
