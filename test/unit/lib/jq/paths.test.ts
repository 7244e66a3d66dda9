import { expect, test } from "vitest";
import { runJq } from "./run.ts";

const near = (what: string): string => `Invalid path expression near attempt to ${what}`;

// Results of jq 1.8.2; oracle/oracle.test.ts compares generated filters with it.
test.each([
  // A question mark is about the last step alone.
  [".a.b?", "1", 'Cannot index number with string ("a")'],
  [".[1 | error]?", "1", 1],
  ["[.a?, .a[]?, (.a.b)?]", '{"a":1}', undefined],
  ["path(.a | 1 | .b?)", "{}", near('access element "b" of 1')],
  ["path(.a | 1 | .[1:]?)", "{}", near('access element {"start":1,"end":null} of 1')],
  ["[path(.a | 1 | (.b)?)]", "{}", undefined],
  // jq follows one path; patterns, items of folds and lists select from it too.
  ["path(. as [$x] | .)", "[1]", "Invalid path expression with result [1]"],
  ["path(.[0] as [$x] | .[0])", "[[1]]", near("access element 0 of [1]")],
  ["path(foreach .[] as $x (.; .))", "[1,2]", "Invalid path expression with result [1,2]"],
  ["path(reduce .[1] as $x (.; .[0]))", "[[1],[2]]", near("access element 0 of [[1],[2]]")],
  ["path(reduce 1 as $x (.; .[0]))", "[[1],[2]]", "Invalid path expression with result [1]"],
  ["path(map(1 | .[0]))", "[[1]]", near("access element 0 of 1")],
  ["path([..])", "[1]", "Invalid path expression with result [[1],1]"],
  ["path(1 | [..])", "[1]", near("iterate through 1")],
  ["path(1 | add)", "[1]", near("iterate through 1")],
  ["path(true | any)", "[1]", near("iterate through true")],
  ["path(1 | .a and .b)", "[1]", near('access element "a" of 1')],
  ["path(1 | -(.a))", "[1]", near('access element "a" of 1')],
  ["path(.[0] |= 1)", "[[1],2]", near("access element 0 of [[1,2],[]]")],
  ["path(.[0] += 1)", "[1]", near("access element 0 of [[2],[]]")],
  ["path(.[0] = 1)", "[2]", "Invalid path expression with result [1]"],
  ['path(1 | getpath(["a"]))', "[1]", 'Cannot index number with string ("a")'],
  ["path(floor)", "7", "Invalid path expression with result 7"],
  // Updates and deletions.
  ["setpath([[9], {}]; 1)", "[[1]]", "Cannot update field at array index of array"],
  ["del(.[[1]])", "[[1],2]", "Cannot delete array element of array"],
  ['delpaths([["a"]])', "[1]", "Cannot delete string element of array"],
  ["delpaths([[1]])", "{}", "Cannot delete number field of object"],
  ["delpaths([[{}]])", "1", "Cannot delete fields from number"],
  ["index(null)", "null", "Cannot index null with null (null)"],
])("%s", async (program, input, wanted) => {
  const [result] = await runJq(`try (${program} | empty) catch .`, input);
  expect(result).toBe(wanted === undefined ? undefined : JSON.stringify(wanted));
});

test.each([
  ["path(reduce .[] as $x (.; .))", "[1,2]", "[]"],
  ["path(index(1))", "[1]", "[[1],0]"],
  ["[path(limit(1; .[]), first(.[1:][]))]", "[1,2]", '[[0],[{"start":1,"end":null},0]]'],
  ["has(null, {}, [])", "null", "false false false"],
])("%s", async (program, input, wanted) => {
  expect((await runJq(program, input)).join(" ")).toBe(wanted);
});
