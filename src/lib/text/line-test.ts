import { compileJsTest } from "../regex/js.ts";
import { compileRe2 } from "../regex/re2.ts";
import { globToRe2 } from "./glob.ts";

export const lineModes = ["literal", "glob", "re2", "regex"] as const;

export type LineMode = (typeof lineModes)[number];

/**
 * Compiles a test of one line.
 * @throws OptionFault; so does the test, for a pattern of V8 that is too large or backtracks too far.
 */
export async function compileLineTest(
  pattern: string,
  mode: LineMode,
  ignoreCase: boolean,
): Promise<(line: string) => boolean> {
  if (mode === "literal" && !ignoreCase) return (line) => line.includes(pattern);
  const flags = ignoreCase ? "i" : "";
  if (mode === "re2" || mode === "glob") {
    const expression = await compileRe2(mode === "glob" ? globToRe2(pattern) : pattern, flags);
    return (line) => expression.test(line);
  }
  return mode === "literal"
    ? compileJsTest(RegExp.escape(pattern), `${flags}u`)
    : compileJsTest(pattern, flags);
}
