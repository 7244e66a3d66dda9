import type { Token } from "./lex.ts";
import type { PatternParser } from "./parse-pattern.ts";
import type { Parser } from "./parse.ts";
import type { Filter } from "./syntax.ts";

/**
 * Returns a parser of `if`, `try`, `reduce`, `foreach` and `break`, which is called with that word after it was taken.
 * @param postfix Parses a term with what follows it.
 */
export function createControlParser(
  parser: Parser,
  patterns: PatternParser,
  postfix: () => Filter,
): (token: Token) => Filter {
  const { take, accept, expect, fail } = parser;

  function fold(kind: "reduce" | "foreach"): Filter {
    const source = parser.operators();
    expect("as");
    const bound = patterns.list();
    expect("(");
    const first = parser.pipe();
    expect(";");
    const parts = { source, patterns: bound, start: first, update: parser.pipe() };
    const extract = kind === "foreach" && accept(";") ? parser.pipe() : undefined;
    expect(")");
    return kind === "reduce" ? { kind, ...parts } : { kind, ...parts, extract };
  }

  function conditional(): Filter {
    const test = parser.pipe();
    expect("then");
    const passed = parser.pipe();
    if (accept("end")) return { kind: "if", test, passed, otherwise: undefined };
    if (accept("else")) {
      const otherwise = parser.pipe();
      expect("end");
      return { kind: "if", test, passed, otherwise };
    }
    const token = expect("elif");
    return { kind: "if", test, passed, otherwise: parser.nest(token, conditional) };
  }

  return (token) => {
    switch (token.text) {
      case "if":
        return parser.nest(token, conditional);
      case "try": {
        const body = parser.nest(token, postfix);
        return { kind: "try", body, handler: accept("catch") ? parser.nest(token, postfix) : undefined };
      }
      case "reduce":
      case "foreach":
        return fold(token.text);
      default: {
        const name = take();
        if (name.kind !== "variable") return fail(name, "the name of a label, such as $out");
        return { kind: "break", name: name.text, at: token.at };
      }
    }
  };
}
