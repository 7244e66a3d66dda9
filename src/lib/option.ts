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
  /** What the pattern allows, in words. */
  expected: string;
}

export function string(value: string, form?: Form): Option<string> {
  return { type: "string", list: false, default: value, validate: (given) => validateText(given, form) };
}

export function strings(form?: Form): Option<readonly string[]> {
  const validate = (given: unknown): string | undefined =>
    Array.isArray(given)
      ? given.map((one) => validateItem(one, form)).find((fault) => fault !== undefined)
      : `Expected a list, even of one value: [${String(JSON.stringify(given))}]`;
  return { type: "string", list: true, default: [], validate };
}

function validateText(value: unknown, form: Form | undefined): string | undefined {
  if (typeof value !== "string") return expected("string", value);
  return form === undefined || form.pattern.test(value) ? undefined : `Expected ${form.expected}`;
}

/** Like `validateText`, and names the item. */
function validateItem(value: unknown, form: Form | undefined): string | undefined {
  const fault = validateText(value, form);
  return fault === undefined ? undefined : `${String(JSON.stringify(value))}: ${fault}`;
}

export function integer(value: number, { min, max }: { min: number; max: number }): Option<number> {
  const validate = (given: unknown): string | undefined => {
    if (typeof given !== "number" || Number.isNaN(given)) return expected("number", given);
    if (!Number.isInteger(given)) return expected("int", given);
    if (given < min) return `Too small: expected number to be >=${min}`;
    return given > max ? `Too big: expected number to be <=${max}` : undefined;
  };
  return { type: "integer", list: false, default: value, validate };
}

export function boolean(value: boolean): Option<boolean> {
  const validate = (given: unknown): string | undefined =>
    typeof given === "boolean" ? undefined : expected("boolean", given);
  return { type: "boolean", list: false, default: value, validate };
}

export function choice<const Value extends string>(
  value: NoInfer<Value>,
  values: readonly Value[],
): Option<Value> {
  const validate = (given: unknown): string | undefined =>
    (values as readonly unknown[]).includes(given)
      ? undefined
      : `Invalid option: expected one of ${values.map((one) => JSON.stringify(one)).join("|")}`;
  return { type: "string", list: false, default: value, validate };
}

function expected(what: string, given: unknown): string {
  const received =
    given === null ? "null" : Array.isArray(given) ? "array" : Number.isNaN(given) ? "NaN" : typeof given;
  return `Invalid input: expected ${what}, received ${received}`;
}
