import { OptionFault } from "../fault.ts";
import type { Token, TokenKind } from "./lex.ts";

/** The tokens of an expression, one after another. */
export interface TokenReader {
  peek(ahead?: number): Token;
  take(): Token;
  /** Takes a token of this kind. @throws OptionFault */
  expect(kind: TokenKind): Token;
  /** @throws OptionFault about a token. */
  fail(token: Token, wanted?: string): never;
}

export function createTokenReader(tokens: readonly Token[]): TokenReader {
  let at = 0;
  const peek = (ahead = 0): Token => tokens[Math.min(at + ahead, tokens.length - 1)] as Token;
  const take = (): Token => tokens[at++] as Token;
  const fail = (token: Token, wanted = ""): never => {
    const found = token.kind === "end" ? "the end" : JSON.stringify(token.text.slice(0, 40));
    throw new OptionFault(`Unexpected ${found}${wanted && `; expected ${wanted}`}`, { index: token.index });
  };
  const expect = (kind: TokenKind): Token => (peek().kind === kind ? take() : fail(peek(), kind));
  return { peek, take, expect, fail };
}
