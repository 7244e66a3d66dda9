import { OptionFault } from "../fault.ts";
import { isName, type Token } from "./lex.ts";
import type { Parser } from "./parse.ts";
import type { Filter } from "./syntax.ts";
import { typeName } from "./value.ts";

/** Returns a parser of the construction of an object, after its opening brace was taken. */
export function createObjectParser(parser: Parser, variable: (token: Token) => Filter): () => Filter {
  const { peek, take, accept, expect, fail } = parser;

  function member(): { key: Filter; value: Filter; at: number } {
    const token = take();
    const { at } = token;
    const field = (key: Filter): Filter => ({ kind: "index", target: { kind: "identity" }, key });
    let key: Filter;
    if (token.kind === "variable") {
      if (!isColon(peek()))
        return { key: { kind: "literal", value: token.text }, value: variable(token), at };
      key = variable(token);
    } else if (isName(token)) key = { kind: "literal", value: token.text };
    else if (token.kind === "string") key = parser.text(token, undefined);
    else if (token.kind === "format" && peek().kind === "string") key = parser.text(take(), token.text);
    else if (token.kind === "format") key = { kind: "format", name: token.text, at };
    else if (token.kind === "symbol" && token.text === "(") {
      key = parser.pipe();
      expect(")");
      if (key.kind === "literal" && typeof key.value !== "string")
        throw new OptionFault(`Cannot use ${typeName(key.value)} as object key`, { index: at });
      expect(":");
      return { key, value: memberValue(), at };
    } else if (token.kind === "number") {
      throw new OptionFault("Cannot use number as object key; put it in quotes", { index: at });
    } else return fail(token, "a key");
    return { key, value: accept(":") ? memberValue() : field(key), at };
  }

  /** The value of a member ends at a comma, so it has no `,` of its own. */
  function memberValue(): Filter {
    const left = parser.operators();
    if (!accept("|")) return left;
    return { kind: "pipe", left, right: memberValue() };
  }

  return () => {
    const members: { key: Filter; value: Filter; at: number }[] = [];
    if (accept("}")) return { kind: "object", members };
    do members.push(member());
    while (accept(","));
    expect("}");
    return { kind: "object", members };
  };
}

const isColon = ({ kind, text }: Token): boolean => kind === "symbol" && text === ":";
