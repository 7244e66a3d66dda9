import { OptionFault } from "../fault.ts";
import { withoutLayout } from "./extended.ts";

/**
 * Yields every match of V8's engine. It backtracks and can take exponential time: run it only in a worker.
 */
export function* matchAllJs(pattern: string, flags: string, text: string): Generator<RegExpExecArray> {
  const all = flags.includes("g") ? flags : `${flags}g`;
  const matches = text.matchAll(compileJs(pattern, all));
  for (;;) {
    const next = running(() => matches.next(), pattern, all);
    if (next.done === true) return;
    yield next.value;
  }
}

/** @param given Those of V8, and x. @throws OptionFault */
function compileJs(written: string, given: string): RegExp {
  const { pattern, flags } = withoutLayout(written, given);
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    if (error instanceof SyntaxError) throw new OptionFault(toMessage(error.message, pattern, flags));
    // The parentheses nest too deeply for the parser's stack.
    if (error instanceof RangeError) throw new OptionFault("The expression nests too deeply.");
    throw error;
  }
}

export function isJsPattern(pattern: string, flags: string): boolean {
  try {
    compileJs(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a function that reports whether a text contains a match. It backtracks like `matchAllJs`.
 * @throws OptionFault; so does the function, if the pattern is too large or backtracks too far.
 */
export function compileJsTest(pattern: string, flags: string): (text: string) => boolean {
  const expression = compileJs(pattern, flags);
  return (text) => running(() => expression.test(text), pattern, flags);
}

/** Runs a compiled pattern. V8 compiles it on first use, and only then detects that it is too large. */
function running<T>(work: () => T, pattern: string, flags: string): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) throw new OptionFault(toMessage(error.message, pattern, flags));
    // V8 records each step of a repeated group, up to 64 MB of them.
    if (error instanceof RangeError)
      throw new OptionFault("It backtracks too far on this text; use fewer repetitions, or re2.");
    throw error;
  }
}

/** V8 says "Invalid regular expression: /…/flags: Reason"; the caller knows the pattern. */
function toMessage(message: string, pattern: string, flags: string): string {
  const reason = message.replace(`Invalid regular expression: /${pattern}/${flags}: `, "");
  if (message.endsWith("too large") || message.endsWith("Stack overflow"))
    return "Is too large to compile; shorten it.";
  return `${reason === message ? "It is not a regular expression of JavaScript" : reason}.`;
}
