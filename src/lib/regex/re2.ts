import { OptionFault } from "../fault.ts";
import type { RE2JS } from "re2js";
import { withoutLayout } from "./extended.ts";
import { load } from "../load.ts";

/** Yields every match of RE2 (no look-around, no back-references), in linear time. */
export async function matchAllRe2(
  pattern: string,
  flags: string,
  text: string,
): Promise<Iterable<RegExpExecArray>> {
  const expression = await compileRe2(pattern, flags);
  return expression.matchAll(text) as Iterable<RegExpExecArray>;
}

export type Re2 = RE2JS;

/**
 * @param flags i, m, s and x; others are ignored.
 * @throws OptionFault
 */
export async function compileRe2(written: string, flags: string): Promise<RE2JS> {
  const compile = await openRe2();
  return compile(written, flags);
}

/** Loads the engine and returns its `compileRe2` that does not wait. */
export async function openRe2(): Promise<(written: string, flags: string) => Re2> {
  const { RE2JS, RE2JSSyntaxException } = await load("re2js");
  return (written, flags) => {
    const { pattern } = withoutLayout(written, flags);
    const bits =
      (flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0) |
      (flags.includes("m") ? RE2JS.MULTILINE : 0) |
      (flags.includes("s") ? RE2JS.DOTALL : 0);
    try {
      return RE2JS.compile(pattern, bits);
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      throw toPatternError(error.message, pattern);
    }
  };
}

/** RE2 says "error parsing regexp: reason: `part`"; the index is known if that part occurs once. */
function toPatternError(message: string, pattern: string): OptionFault {
  const [, reason = message, part] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(message) ?? [];
  const index = part === undefined || part === "" ? -1 : pattern.indexOf(part);
  const known = index >= 0 && pattern.indexOf(part as string, index + 1) < 0;
  return new OptionFault(`${reason}${part === undefined ? "" : `: ${JSON.stringify(part.slice(0, 64))}`}.`, {
    index: known ? index : undefined,
  });
}
