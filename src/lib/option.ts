import { mustBe, mustBeOneOf, mustBeWithin, show } from "./must.ts";

/**
 * An option of the configuration. Not zod: every command reads the configuration, and would have to load zod
 * first.
 */
export interface Option<Value> {
  readonly type: "string" | "integer" | "boolean";
  /** An array of `type`. */
  readonly list: boolean;
  readonly default: Value;
  /** Returns what is wrong with a value, or undefined. */
  validate(value: unknown): string | undefined;
}

export type AnyOption = Option<unknown>;

/** A restriction on the texts of an option. */
export interface Form {
  pattern: { test(text: string): boolean };
  /** A description of the values that match the pattern. */
  expected: string;
}

export function string(value: string, form?: Form): Option<string> {
  return { type: "string", list: false, default: value, validate: (given) => validateText(given, form) };
}

export function strings(form?: Form, value: readonly string[] = []): Option<readonly string[]> {
  const validate = (given: unknown): string | undefined =>
    Array.isArray(given)
      ? given.map((one) => validateItem(one, form)).find((fault) => fault !== undefined)
      : `Must be a list, even of one value: [${String(JSON.stringify(given))}]`;
  return { type: "string", list: true, default: value, validate };
}

function validateText(value: unknown, form: Form | undefined): string | undefined {
  if (typeof value !== "string") return mustBe("a string", value);
  return form === undefined || form.pattern.test(value) ? undefined : `Must be ${form.expected}.`;
}

/** Shows the item that is wrong; a list holds no secrets. */
function validateItem(value: unknown, form: Form | undefined): string | undefined {
  const fault = validateText(value, form);
  return typeof value === "string" ? fault?.replace(/\.$/, `, got ${show(value)}.`) : fault;
}

export function integer(value: number, { min, max }: { min: number; max: number }): Option<number> {
  const validate = (given: unknown): string | undefined => {
    if (typeof given !== "number" || !Number.isInteger(given)) return mustBe("an integer", given);
    return given < min || given > max ? mustBeWithin(min, max, given) : undefined;
  };
  return { type: "integer", list: false, default: value, validate };
}

export function boolean(value: boolean): Option<boolean> {
  const validate = (given: unknown): string | undefined =>
    typeof given === "boolean" ? undefined : mustBe("true or false", given);
  return { type: "boolean", list: false, default: value, validate };
}

export function choice<const Value extends string>(
  value: NoInfer<Value>,
  values: readonly Value[],
): Option<Value> {
  const validate = (given: unknown): string | undefined =>
    (values as readonly unknown[]).includes(given) ? undefined : mustBeOneOf(values, given);
  return { type: "string", list: false, default: value, validate };
}
