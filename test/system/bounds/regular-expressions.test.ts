import { describe, expect, test } from "vitest";
import globTester from "../../../src/tools/regex/glob-tester.ts";
import regexTester from "../../../src/tools/regex/regex-tester.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

describe.each(["re2", "js"])("%s", (engine) => {
  test("does not multiply the document by nested groups", async () => {
    const pattern = `${"(".repeat(100)}.*${")".repeat(100)}`;
    // A hundred times this is more than a result may have.
    const data = `${"a".repeat(4000)}\n`.repeat(100);
    expect((await refusalOf(runTool(regexTester, { data, pattern, engine }))).code).toBe("invalid_document");
  });
});

describe("glob", () => {
  test("refuses a !(…) whose automaton is too large, with its place", async () => {
    const refusal = await refusalOf(runTool(globTester, { data: "a", pattern: `x!(*a${"?".repeat(40)})` }));
    expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/pattern" });
    expect(refusal.message).toContain(
      "This !(…) is too complex; use fewer or shorter alternatives, at character 2.",
    );
  });
});
