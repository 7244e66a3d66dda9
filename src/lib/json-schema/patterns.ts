import type * as re2js from "re2js";
import { OptionFault } from "../fault.ts";
import { withSubject } from "../must.ts";
import { compileJsTest } from "../regex/js.ts";
import { toRe2 } from "./ecma-to-re2.ts";
import { SchemaFault } from "./schema-fault.ts";

/**
 * Returns a function that reports whether a text matches a pattern (ECMA-262). A pattern that could backtrack
 * runs in RE2, in linear time, if RE2 gives it the same meaning. One with look-around or back-references runs
 * in V8, where only a deadline ends it.
 */
export function createMatcher(re2: typeof re2js): (pattern: string, text: string) => boolean {
  const known = new Map<string, (text: string) => boolean>();
  return (pattern, text) => {
    let matches = known.get(pattern);
    if (matches === undefined) known.set(pattern, (matches = compile(re2, pattern)));
    return matches(text);
  };
}

function compile(re2: typeof re2js, pattern: string): (text: string) => boolean {
  const unicode = toRegExp(pattern, "u");
  // Many schemas contain escapes that only the legacy grammar allows.
  const expression = unicode ?? toRegExp(pattern, "");
  if (expression === undefined)
    throw new SchemaFault(
      `The pattern ${JSON.stringify(pattern.slice(0, 100))} is not a regular expression of ECMA-262.`,
    );
  const linear = unicode !== undefined && canBacktrack(pattern) ? toRe2(pattern) : undefined;
  if (linear !== undefined) {
    try {
      const compiled = re2.RE2JS.compile(linear);
      return (text) => compiled.matcher(text).find();
    } catch (error) {
      // More repetitions than RE2 supports.
      if (!(error instanceof re2.RE2JSException)) throw error;
    }
  }
  const test = compileJsTest(pattern, expression.flags);
  return (text) => {
    try {
      return test(text);
    } catch (error) {
      if (!(error instanceof OptionFault)) throw error;
      throw new SchemaFault(
        withSubject(`The pattern ${JSON.stringify(pattern.slice(0, 100))}`, error.message),
      );
    }
  };
}

/** Returns the expression, or undefined if the text is not one. */
export function toRegExp(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reports whether a backtracking engine might need more than linear time: not without repetition, nor with a
 * single repetition of a single character behind an anchor.
 */
function canBacktrack(pattern: string): boolean {
  const bare = pattern.replace(/\\./gs, "a").replace(/\[[^\]]*\]/g, "a");
  const repeated = bare.match(/[*+]|\{\d+(?:,\d*)?\}/g)?.length ?? 0;
  const optional = bare.match(/[^*+?}(]\?/g)?.length ?? 0;
  if (/\)(?:[*+]|\{)/.test(bare) || optional > 5) return true;
  return repeated > 1 || (repeated === 1 && (!bare.startsWith("^") || bare.includes("|")));
}
