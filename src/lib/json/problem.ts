import { DocumentFault } from "../fault.ts";
import type { Position } from "./position.ts";

/** Stable names of the faults of a document. */
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
  /** Names the unexpected text, the expected one and a remedy; quotes at most a few characters of the document. */
  message: string;
  rule: JsonRule;
  /** From 1. LF, CR LF and CR each end a line. */
  line: number;
  /** From 1, in code points. */
  column: number;
  /** From 0, in bytes of UTF-8. */
  offset: number;
  /** RFC 6901; "" is the root. The pointer of an ancestor if it would exceed 4,096 characters. */
  pointer: string;
  /** The earlier of two equal keys; the message does not name its place. */
  first?: Position & { offset: number };
  /** The tokens that the grammar allows at this place, if they are few. */
  expected?: string;
}

/** Converts a problem to the error that a parser throws. */
export const toDocumentFault = ({ message, offset, pointer, first, rule }: JsonProblem): DocumentFault =>
  new DocumentFault(message, { offset, pointer, ...(first && { first: first.offset }) }, rule);

/** A problem whose line and column are not computed yet. */
export interface Fault {
  rule: JsonRule;
  message: string;
  offset: number;
  pointer: string;
  expected?: string;
  /** Offset of the earlier of two equal keys. */
  first?: number;
}
