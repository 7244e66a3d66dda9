import type { Value } from "../data/value.ts";

/** A JSONPath query (RFC 9535), taken apart. */
export interface Query {
  /** From the current node of a filter (`@`), not from the root (`$`). */
  relative: boolean;
  segments: Segment[];
}

export interface Segment {
  descendant: boolean;
  selectors: Selector[];
}

export type Selector =
  | { kind: "name"; name: string }
  | { kind: "index"; index: number }
  | { kind: "wildcard" }
  | { kind: "slice"; start: number | undefined; stop: number | undefined; step: number | undefined }
  | { kind: "filter"; test: Test };

/** What is true or false. */
export type Test =
  | { kind: "and" | "or"; left: Test; right: Test }
  | { kind: "not"; operand: Test }
  | { kind: "exists"; query: Query }
  | { kind: "compare"; operator: Operator; left: Operand; right: Operand }
  | Call;

/** What has a value, or nothing. */
export type Operand = { kind: "literal"; value: Value } | { kind: "query"; query: Query } | Call;

export interface Call {
  kind: "call";
  name: "length" | "count" | "value" | "match" | "search";
  parameters: Operand[];
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";
