import { isName } from "./lex.ts";
import type { Parser } from "./parse.ts";
import type { Filter, Pattern } from "./syntax.ts";

export interface PatternParser {
  /** Parses one or more patterns, separated by `?//`. */
  list(): Pattern[];
}

/** Parses what follows `as`. */
export function createPatternParser(parser: Parser): PatternParser {
  const { peek, take, accept, expect, fail } = parser;

  const list = (): Pattern[] => {
    const patterns = [pattern()];
    while (accept("?//")) patterns.push(pattern());
    return patterns;
  };

  function pattern(): Pattern {
    const token = take();
    if (token.kind === "variable") return { kind: "name", name: token.text };
    return parser.nest(token, () => {
      if (token.kind === "symbol" && token.text === "[") {
        const items = [pattern()];
        while (accept(",")) items.push(pattern());
        expect("]");
        return { kind: "list", items };
      }
      if (token.kind !== "symbol" || token.text !== "{") return fail(token, "a variable, [ or {");
      const members = [member()];
      while (accept(",")) members.push(member());
      expect("}");
      return { kind: "members", members };
    });
  }

  function member(): { name: string | undefined; key: Filter; value: Pattern | undefined } {
    const token = take();
    if (token.kind === "variable") {
      const value = accept(":") ? pattern() : undefined;
      return { name: token.text, key: { kind: "literal", value: token.text }, value };
    }
    let key: Filter;
    if (isName(token)) key = { kind: "literal", value: token.text };
    else if (token.kind === "string") key = parser.text(token, undefined);
    else if (token.kind === "symbol" && token.text === "(") {
      key = parser.pipe();
      expect(")");
    } else return fail(peek(-1), "a key");
    expect(":");
    return { name: undefined, key, value: pattern() };
  }

  return { list };
}
