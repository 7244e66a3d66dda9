import { defined } from "../defined.ts";
import { OptionFault } from "../fault.ts";
import type { Token } from "./lex.ts";
import type { Expression } from "./parse.ts";
import type { TokenReader } from "./token-reader.ts";

/** The grammar of the content of brackets and of the suffixes after them. */
export interface Grammar {
  expression(power: number): Expression;
  /** Parses the expression that a projection applies to each of its results. */
  projected(power: number): Expression;
}

/** Parses what brackets do to the expression on their left, after the opening one was taken. */
export interface BracketParser {
  /** Parses `[0]`, `[1:2:3]` or `[*]`; returns undefined if none of them follows. */
  access(left: Expression): Expression | undefined;
  /** Parses `[?test]`. */
  filter(left: Expression): Expression;
  /** Parses `[]`. */
  flatten(left: Expression): Expression;
}

export const current: Expression = { kind: "current" };

export function createBracketParser(tokens: TokenReader, grammar: Grammar): BracketParser {
  const { peek, take, expect, fail } = tokens;

  /** Parses `[1]` or `[1:2:3]`, after its bracket. */
  function indexOrSlice(left: Expression): Expression {
    if (peek().kind === "number" && peek(1).kind !== ":") {
      const index = integer(take());
      expect("]");
      return { kind: "chain", left, right: { kind: "index", index } };
    }
    const parts: (number | undefined)[] = [undefined, undefined, undefined];
    let part = 0;
    while (peek().kind !== "]") {
      const token = take();
      if (token.kind === ":" && part < 2) part++;
      else if (token.kind === "number" && parts[part] === undefined) parts[part] = integer(token);
      else fail(token, "an index or a slice");
    }
    take();
    const [from, stop, step] = parts;
    if (step === 0) throw new OptionFault("The step of a slice cannot be 0", { index: peek(-1).index });
    const slice: Expression = {
      kind: "slice",
      ...defined({ start: from, stop, step }),
    };
    return {
      kind: "project",
      what: "items",
      left: { kind: "chain", left, right: slice },
      right: grammar.projected(20),
    };
  }

  return {
    access(left) {
      const { kind } = peek();
      if (kind === "number" || kind === ":") return indexOrSlice(left);
      if (kind !== "*" || peek(1).kind !== "]") return undefined;
      take();
      take();
      return { kind: "project", what: "items", left, right: grammar.projected(20) };
    },
    filter(left) {
      const test = grammar.expression(0);
      expect("]");
      const right = peek().kind === "[]" ? current : grammar.projected(21);
      return { kind: "filter", left, test, right };
    },
    flatten: (left) => ({
      kind: "project",
      what: "items",
      left: { kind: "flatten", left },
      right: grammar.projected(9),
    }),
  };
}

function integer(token: Token): number {
  const value = Number(token.text);
  if (Number.isSafeInteger(value)) return value;
  throw new OptionFault("The index is too large", { index: token.index });
}
