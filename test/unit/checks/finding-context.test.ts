import { expect, test } from "vitest";
import { applyIgnores } from "../../../src/checks/apply-ignores.ts";
import { addContext } from "../../../src/checks/finding-context.ts";
import type { FileFinding } from "../../../src/checks/verdict.ts";
import { finding, verdict } from "./findings.ts";

const add = (text: string, ...errors: FileFinding[]) =>
  addContext(verdict(errors), "a", Buffer.from(text)).errors;
const printOf = (text: string, more: Partial<FileFinding>) => add(text, finding(more))[0]?.fingerprint;

test.each([
  ["x\ny\n", "\n\n  y", 2, 3],
  ["x\r\ny\r\n", "y", 2, 1],
  ["x\ry\r", "x\ny\n", 2, 2],
  ["y", "x\n\ty\n", 1, 2],
])("%j and %j have the same line", (one, other, line, otherLine) => {
  expect(printOf(one, { line })).toBe(printOf(other, { line: otherLine }));
});

test("the message, the rule, the path and the text of the line make a difference", () => {
  const prints = [
    printOf("x", { line: 1 }),
    printOf("y", { line: 1 }),
    printOf("x", { line: 1, message: "n" }),
    printOf("x", { line: 1, rule: "s" }),
    printOf("x", {}),
    addContext(verdict([finding({ line: 1 })]), "b", Buffer.from("x")).errors[0]?.fingerprint,
    printOf(`${"x".repeat(300)}1`, { line: 1 }),
    printOf(`${"x".repeat(300)}2`, { line: 1 }),
  ];
  expect(new Set(prints).size).toBe(prints.length);
});

test("numbers of lines and columns in a message make none, other numbers do", () => {
  const print = (message: string) => printOf("x", { line: 1, message });
  expect(print("Again; the first is on line 3, column 5")).toBe(
    print("Again; the first is on line 12, column 7"),
  );
  expect(print("There are 3 items")).not.toBe(print("There are 4 items"));
});

test("a column in bytes begins with the line", () => {
  const [one, other] = add(
    "é\nä😀x",
    finding({ line: 2, column: 3, offset: 9 }),
    finding({ line: 2, column: 3 }),
  );
  expect(one?.byteColumn).toBe(7);
  expect(other).not.toHaveProperty("byteColumn");
});

// It would take minutes if its work grew with the square of the document.
test("very many comments and findings", () => {
  const count = 60_000;
  const text = "# penknife-ignore json-validator/r why\n".repeat(count);
  const errors = Array.from({ length: count }, (_, at) => finding({ line: at + 1 }));
  const bytes = Buffer.from(text);
  const [kept, ...own] = applyIgnores([verdict(errors)], bytes, () => true);
  expect(kept).toMatchObject({ valid: true, errors: [] });
  expect(kept?.suppressed).toHaveLength(count);
  expect(own).toEqual([]);
});
