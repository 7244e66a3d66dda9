import { expect, test } from "vitest";
import { describeFault } from "../../../../src/surfaces/http/fault.ts";

test("a name, a message and a position are logged", () => {
  const [head, ...frames] = describeFault(new TypeError("x is not a function")).split("\n");
  expect(head).toBe("TypeError: x is not a function");
  expect(frames[0]).toMatch(/^ {4}at .*fault\.test\.ts(?:\?[^:]*)?:\d+:\d+/);
});

test("a document in a message is cut, even if it looks like stack frames", () => {
  const frame = "\n    at document (file:///private.ts:1:1)";
  const text = describeFault(new Error(`Unexpected ${"a".repeat(300)}private${frame.repeat(5)}`));
  expect(text).not.toContain("private");
  expect(text).toMatch(/^Error: Unexpected a{189}…\n {4}at /);
});

test("reports a message that was changed after the stack was captured", () => {
  const error = new Error(`a private\ndocument of ${"b".repeat(300)}`);
  error.message = "in short";
  expect(describeFault(error)).toMatch(/^Error: in short\n {4}at /);
  expect(describeFault(error)).not.toMatch(/private|document/);
});

test("keys are shortened and control characters escaped", () => {
  const key = `svc_live_${"k".repeat(38)}`;
  const text = describeFault(new Error(`${key}\u001B[31m\nforged \u202E`));
  expect(text).toMatch(/^Error: svc_…/);
  expect(text).not.toContain("kkk");
  expect(text.split("\n")[0]).toContain("\\u{a}forged \\u{202e}");
  for (const raw of ["\u001B", "\u202E"]) expect(text).not.toContain(raw);
});

test.each([
  ["a string", "d".repeat(1000), `${"d".repeat(200)}…`],
  ["nothing", undefined, "undefined"],
  ["an object without text", Object.create(null), "an error that cannot be described"],
])("describes a thrown value: %s", (_, thrown, text) => {
  expect(describeFault(thrown)).toBe(text);
});
