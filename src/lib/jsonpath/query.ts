import type { Value } from "../data/value.ts";

/** A parsed JSONPath query (RFC 9535). */
export interface Query {
  /** Relative to the current node of a filter (`@`) instead of the root (`$`). */
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

/** A logical expression of a filter. */
export type Test =
  | { kind: "and" | "or"; left: Test; right: Test }
  | { kind: "not"; operand: Test }
  | { kind: "exists"; query: Query }
  | { kind: "compare"; operator: Operator; left: Operand; right: Operand }
  | Call;

/** A comparable of a filter: it has a value, or Nothing. */
export type Operand = { kind: "literal"; value: Value } | { kind: "query"; query: Query } | Call;

export interface Call {
  kind: "call";
  name: "length" | "count" | "value" | "match" | "search";
  parameters: Operand[];
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";
