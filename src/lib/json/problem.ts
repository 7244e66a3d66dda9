import { DocumentFault } from "../fault.ts";
import type { Position } from "./position.ts";

/** Stable names of what can be wrong with a document. */
export type JsonRule =
  | "syntax"
  | "truncated"
  | "invalid-utf8"
  | "lone-surrogate"
  | "byte-order-mark"
  | "duplicate-key"
  | "too-deep"
  | "result-too-large";

export interface JsonProblem {
  /** What was found, what was expected and what to do; never more than a few characters of the document. */
  message: string;
  rule: JsonRule;
  /** From 1. LF, CR LF and CR each end a line. */
  line: number;
  /** From 1, in code points. */
  column: number;
  /** From 0, in bytes of UTF-8. */
  offset: number;
  /** RFC 6901; "" is the root. Where it would pass 4,096 characters: that of an ancestor. */
  pointer: string;
  /** The earlier of two equal keys; the message does not name its place. */
  first?: Position & { offset: number };
  /** What the grammar allows at this place, where it is a short list. */
  expected?: string;
}

/** A problem as what a reader throws. */
export const toDocumentFault = ({ message, offset, pointer, first, rule }: JsonProblem): DocumentFault =>
  new DocumentFault(message, { offset, pointer, ...(first && { first: first.offset }) }, rule);

/** A problem before its line and column are known. */
export interface Fault {
  rule: JsonRule;
  message: string;
  offset: number;
  pointer: string;
  expected?: string;
  /** The earlier of two equal keys. */
  first?: number;
}
