/**
 * What an option takes. A table of our own and no zod: every command reads the configuration, and would wait for
 * that library first.
 */
export interface Option<Value> {
  readonly type: "string" | "integer" | "boolean";
  /** An array of `type`. */
  readonly list: boolean;
  readonly default: Value;
  /** What is wrong with a value; undefined where nothing is. */
  judge(value: unknown): string | undefined;
}

export type AnyOption = Option<unknown>;

/** Which texts an option takes beyond any. */
export interface Form {
  pattern: { test(text: string): boolean };
  /** What the pattern means, in words. */
  expected: string;
}

export function string(value: string, form?: Form): Option<string> {
  return { type: "string", list: false, default: value, judge: (given) => judgeText(given, form) };
}

export function strings(form?: Form): Option<readonly string[]> {
  const judge = (given: unknown): string | undefined =>
    Array.isArray(given)
      ? given.map((one) => judgeItem(one, form)).find((fault) => fault !== undefined)
      : `Expected a list, even of one value: [${String(JSON.stringify(given))}]`;
  return { type: "string", list: true, default: [], judge };
}

function judgeText(value: unknown, form: Form | undefined): string | undefined {
  if (typeof value !== "string") return expected("string", value);
  return form === undefined || form.pattern.test(value) ? undefined : `Expected ${form.expected}`;
}

/** Says which of the items it is. */
function judgeItem(value: unknown, form: Form | undefined): string | undefined {
  const fault = judgeText(value, form);
  return fault === undefined ? undefined : `${String(JSON.stringify(value))}: ${fault}`;
}

export function integer(value: number, { min, max }: { min: number; max: number }): Option<number> {
  const judge = (given: unknown): string | undefined => {
    if (typeof given !== "number" || Number.isNaN(given)) return expected("number", given);
    if (!Number.isInteger(given)) return expected("int", given);
    if (given < min) return `Too small: expected number to be >=${min}`;
    return given > max ? `Too big: expected number to be <=${max}` : undefined;
  };
  return { type: "integer", list: false, default: value, judge };
}

export function boolean(value: boolean): Option<boolean> {
  const judge = (given: unknown): string | undefined =>
    typeof given === "boolean" ? undefined : expected("boolean", given);
  return { type: "boolean", list: false, default: value, judge };
}

export function choice<const Value extends string>(
  value: NoInfer<Value>,
  values: readonly Value[],
): Option<Value> {
  const judge = (given: unknown): string | undefined =>
    (values as readonly unknown[]).includes(given)
      ? undefined
      : `Invalid option: expected one of ${values.map((one) => JSON.stringify(one)).join("|")}`;
  return { type: "string", list: false, default: value, judge };
}

function expected(what: string, given: unknown): string {
  const received =
    given === null ? "null" : Array.isArray(given) ? "array" : Number.isNaN(given) ? "NaN" : typeof given;
  return `Invalid input: expected ${what}, received ${received}`;
}
