/**
 * The one model of data that every converter reads into and writes from. It loses nothing that a format can say:
 * numbers keep their digits, maps their order and every key, dates their kind.
 */
export type Value = null | boolean | string | Literal | List | Dictionary;

export type List = Value[];

/** A `Map`, so that `__proto__` and `constructor` are keys like any other and "2" does not jump before "a". */
export type Dictionary = Map<string, Value>;

/** A scalar that is more than its text: `kind` says what, `text` how it is written. */
export interface Literal {
  readonly kind: LiteralKind;
  readonly text: string;
}

/**
 * - `number`: the grammar of RFC 8259 §6, of any size and precision, with the digits of the document.
 * - `nonfinite`: `inf`, `-inf` or `nan`, of which JSON has none.
 * - `datetime`: RFC 3339 with an offset; `local-datetime`, `local-date` and `local-time`: the same without (TOML).
 *   JSON gets the last five as strings.
 */
export type LiteralKind =
  | "number"
  | "nonfinite"
  | "datetime"
  | "local-datetime"
  | "local-date"
  | "local-time";

/** How many lists and maps may be open at once, in every format. */
export const maxDepth = 512;

/** `text` must be a number of RFC 8259. */
export const toNumber = (text: string): Literal => ({ kind: "number", text });

export const isList = (value: Value): value is List => Array.isArray(value);

export const isDictionary = (value: Value): value is Dictionary => value instanceof Map;

export const isLiteral = (value: Value): value is Literal =>
  typeof value === "object" && value !== null && "kind" in value;
