import { OptionFault } from "../fault.ts";

/**
 * Every match of V8's engine, which backtracks: it can take exponential time, so that only a worker may run
 * it.
 */
export function* matchAllJs(pattern: string, flags: string, text: string): Generator<RegExpExecArray> {
  const all = flags.includes("g") ? flags : `${flags}g`;
  const matches = text.matchAll(compileJs(pattern, all));
  for (;;) {
    const next = step(matches, pattern, all);
    if (next.done === true) return;
    yield next.value;
  }
}

/** @throws OptionFault */
export function compileJs(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    if (error instanceof SyntaxError) throw new OptionFault(toMessage(error.message, pattern, flags));
    // Parentheses too deep for the parser's stack.
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

/** V8 makes code of a pattern when it is first used, and only then finds that it is too large. */
function step<T>(matches: Iterator<T>, pattern: string, flags: string): IteratorResult<T> {
  try {
    return matches.next();
  } catch (error) {
    if (error instanceof SyntaxError) throw new OptionFault(toMessage(error.message, pattern, flags));
    // Each step of a group that is repeated is remembered, 64 MB of them.
    if (error instanceof RangeError)
      throw new OptionFault("It goes back too many steps on this text; repeat less, or use re2.");
    throw error;
  }
}

/** V8 says "Invalid regular expression: /…/flags: Reason"; the caller knows the pattern. */
function toMessage(message: string, pattern: string, flags: string): string {
  const reason = message.replace(`Invalid regular expression: /${pattern}/${flags}: `, "");
  return `${reason === message ? "It is no regular expression of JavaScript" : reason}.`;
}
