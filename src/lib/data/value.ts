/**
 * The data model that every converter reads into and writes from. It loses nothing: numbers keep their
 * digits, maps their order and every key, dates their kind.
 */
export type Value = null | boolean | string | Literal | List | Dictionary;

export type List = Value[];

/** A `Map`, so that `__proto__` and `constructor` are ordinary keys and "2" does not move before "a". */
export type Dictionary = Map<string, Value>;

/** A scalar with a kind and the text that the document has for it. */
export interface Literal {
  readonly kind: LiteralKind;
  readonly text: string;
}

/**
 * - `number`: the grammar of RFC 8259 §6, of any size and precision, with the digits of the document.
 * - `nonfinite`: `inf`, `-inf` or `nan`, which JSON lacks.
 * - `datetime`: RFC 3339 with an offset; `local-datetime`, `local-date` and `local-time`: the same without
 * (TOML). All five become strings in JSON.
 */
export type LiteralKind =
  | "number"
  | "nonfinite"
  | "datetime"
  | "local-datetime"
  | "local-date"
  | "local-time";

/** Most lists and maps open at once, in every format. */
export const maxDepth = 512;

/** `text` must be a number of RFC 8259. */
export const toNumber = (text: string): Literal => ({ kind: "number", text });

export const isList = (value: Value): value is List => Array.isArray(value);

export const isDictionary = (value: Value): value is Dictionary => value instanceof Map;

export const isLiteral = (value: Value): value is Literal =>
  typeof value === "object" && value !== null && "kind" in value;
