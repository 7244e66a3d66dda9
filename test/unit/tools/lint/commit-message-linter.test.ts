import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/lint/commit-message-linter.ts";
import { refusalOf, runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const lint = async (data: string, options: Record<string, unknown> = {}): Promise<string[]> => {
  const { errors } = JSON.parse(await runTool(tool, { data, ...options })) as {
    errors: { rule: string; line: number; column: number }[];
  };
  return errors.map(({ rule, line, column }) => `${rule} ${line}:${column}`);
};

test.each([
  ["feat: allow x", []],
  ["fix(parser)!: stop\n\nBody of it.\n\nReviewed-by: Z\nRefs: #123\n", []],
  ["feat(a,b): x", []],
  ["fix: a... b...", []],
  ["chore!: drop\r\n\r\nBREAKING-CHANGE: all\r\n", []],
  [
    "\n# comment\n\nfeat: x\n# another\n# ------------------------ >8 ------------------------\ndiff --git\nBREAKING CHANGE",
    [],
  ],
  ["Merge pull request #1 from a/b\nno blank", []],
  ['Revert "feat: x"\n\nThis reverts commit 1.', []],
  ["", ["empty-message 1:1"]],
  ["# only a comment\n", ["empty-message 1:1"]],
  ["add a thing", ["header-format 1:1"]],
  ["feat add: x", ["header-format 1:1"]],
  [": x", ["header-format 1:1"]],
  ["feat(a: x", ["header-format 1:1"]],
  ["feat:x", ["header-format 1:6"]],
  ["feat: ", ["description-empty 1:6"]],
  ["feat(): x", ["scope-empty 1:6"]],
  ["feature(api): x", ["type-unknown 1:1"]],
  ["constructor: x", ["type-unknown 1:1"]],
  ["Feat: x", ["type-case 1:1"]],
  ["fix: é done.", ["description-full-stop 1:12"]],
  ["fix: a\nbody", ["body-blank-line 2:1"]],
  ["fixup! feat: x", ["autosquash 1:1"]],
  [`feat: ${"é".repeat(95)}`, ["header-length 1:101"]],
  ["fix: a\n\nBreaking change: b", ["breaking-change 3:1"]],
  ["fix: a\n\nBREAKING CHANGES: b", ["breaking-change 3:1"]],
  ["fix: a\n\nBREAKING CHANGE:b", ["breaking-change 3:16"]],
  ["fix: a\n\nBREAKING CHANGE:\n", ["breaking-change 3:17"]],
  ["fix: a\n\nbreaking change of habits", []],
  ["fix: a\n\nBREAKING CHANGE:\n  all of it", []],
])("%j has %j", async (data, found) => {
  expect(await lint(data)).toEqual(found);
});

test("accepts the listed types and scopes, and headers up to the maximum length", async () => {
  expect(await lint("wip: x", { types: ["wip"] })).toEqual([]);
  expect(await lint("feat(api): x", { scopes: ["api"] })).toEqual([]);
  expect(await lint("feat(api, web): x", { scopes: ["api", "web"] })).toEqual([]);
  expect(await lint("feat(api, cli): x", { scopes: ["api", "web"] })).toEqual(["scope-unknown 1:10"]);
  expect(await lint("feat: abcdef", { maxHeader: 10 })).toEqual(["header-length 1:11"]);
  expect(await lint("feat: x", { scopes: [] })).toEqual([]);
  for (const options of [{ types: [] }, { types: [""] }, { maxHeader: 1 }])
    expect((await refusalOf(runTool(tool, { data: "feat: x", ...options }))).code).toBe("invalid_input");
});

test("leaves the message valid if there are only warnings", async () => {
  expect(JSON.parse(await runTool(tool, { data: "Fix: done." }))).toMatchObject({
    valid: true,
    errors: { length: 2 },
  });
});

test("reports nothing for a well-formed message, whatever its words", async () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcé"), minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("feat", "fix", "ci"),
      fc.option(word),
      fc.boolean(),
      word,
      word,
      async (type, scope, bang, text, body) => {
        const header = `${type}${scope === null ? "" : `(${scope})`}${bang ? "!" : ""}: ${text}`;
        expect(await lint(`${header}\n\n${body}\n`)).toEqual([]);
      },
    ),
  );
});

test("handles hundreds of kilobytes of any input in linear time", async () => {
  const cost = startCost();
  for (const unit of ["a", "(", "\n", "\r", "#\n", "fixup! ", "BREAKING CHANGE\n", " "])
    await lint(unit.repeat(250_000 / unit.length));
  expect(cost()).toBeLessThan(200);
});

test("the length of a header is counted in the characters that a person sees", async () => {
  const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}";
  expect(await lint(`feat: ${family}${family}ab`, { maxHeader: 10 })).toEqual([]);
  expect(await lint(`feat: ${family}${family}abe\u0301`, { maxHeader: 10 })).toEqual(["header-length 1:23"]);
});
