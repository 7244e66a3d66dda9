import { compileJs } from "../regex/js.ts";
import { compileRe2 } from "../regex/re2.ts";
import { globToRe2 } from "./glob.ts";

export const lineModes = ["literal", "glob", "re2", "regex"] as const;

/**
 * Compiles a test of one line.
 * @throws OptionFault
 */
export async function compileLineTest(
  pattern: string,
  mode: (typeof lineModes)[number],
  ignoreCase: boolean,
): Promise<(line: string) => boolean> {
  if (mode === "literal" && !ignoreCase) return (line) => line.includes(pattern);
  const flags = ignoreCase ? "i" : "";
  if (mode === "re2" || mode === "glob") {
    const expression = await compileRe2(mode === "glob" ? globToRe2(pattern) : pattern, flags);
    return (line) => expression.test(line);
  }
  const expression = compileJs(
    mode === "literal" ? RegExp.escape(pattern) : pattern,
    `${flags}${mode === "literal" ? "u" : ""}`,
  );
  return (line) => expression.test(line);
}
