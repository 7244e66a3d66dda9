/** The form of a value in a configuration file. */
export type Shape =
  | { readonly kind: "any" | "text" | "flag" | "whole" | "number" | "nothing" }
  | Choice
  | { readonly kind: "matching"; readonly pattern: string }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "map"; readonly of: Shape }
  | { readonly kind: "either"; readonly shapes: readonly Shape[] }
  | { readonly kind: "later"; readonly name: string; get(): Shape }
  | ObjectShape;

/** One of some values. */
export interface Choice {
  readonly kind: "choice";
  readonly values: readonly (string | number | boolean)[];
  /** Whether the case of letters does not matter. */
  readonly anyCase: boolean;
}

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, Shape>;
  readonly required: readonly string[];
  /**
   * The treatment of other fields: `closed` reports each, `near` those that look like a misspelt field, because programs and their
   * extensions add their own, and `open` none.
   */
  readonly rest: Rest;
}

export type Rest = "closed" | "near" | "open";

/** The fields of an object; a name that ends with ! is that of a required field. */
type Fields = Readonly<Record<string, Shape>>;

export const any: Shape = { kind: "any" };
export const text: Shape = { kind: "text" };
export const flag: Shape = { kind: "flag" };
export const whole: Shape = { kind: "whole" };
export const number: Shape = { kind: "number" };
export const nothing: Shape = { kind: "nothing" };

export const choice = (...values: Choice["values"]): Shape => ({ kind: "choice", values, anyCase: false });

/** One of some words, whatever their case. */
export const word = (...values: readonly string[]): Shape => ({ kind: "choice", values, anyCase: true });

/** A text that matches a pattern (ECMA-262, which lib/json-schema runs in linear time). */
export const matching = (pattern: string): Shape => ({ kind: "matching", pattern });

export const list = (of: Shape): Shape => ({ kind: "list", of });
export const map = (of: Shape): Shape => ({ kind: "map", of });

export const either = (...shapes: readonly Shape[]): Shape => ({ kind: "either", shapes });

/** A value, or a list of such values. */
export const oneOrMore = (of: Shape): Shape => either(of, list(of));

/** A shape that contains itself. */
export const later = (name: string, get: () => Shape): Shape => ({ kind: "later", name, get });

export const closed = (fields: Fields): ObjectShape => toObject(fields, "closed");
export const near = (fields: Fields): ObjectShape => toObject(fields, "near");
export const open = (fields: Fields): ObjectShape => toObject(fields, "open");

/** Gives each of some names, which spaces separate, the same shape. */
export const each = (names: string, shape: Shape): Fields =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, shape]),
  );

/** Adds fields to those of another object. */
export const extended = (base: ObjectShape, fields: Fields, rest: Rest = base.rest): ObjectShape => {
  const more = toObject(fields, rest);
  return {
    ...more,
    fields: new Map([...base.fields, ...more.fields]),
    required: [...base.required, ...more.required],
  };
};

function toObject(fields: Fields, rest: Rest): ObjectShape {
  const entries = Object.entries(fields);
  const plain = (name: string): string => name.replace(/!$/, "");
  return {
    kind: "object",
    fields: new Map(entries.map(([name, shape]) => [plain(name), shape])),
    required: entries.flatMap(([name]) => (name.endsWith("!") ? plain(name) : [])),
    rest,
  };
}
