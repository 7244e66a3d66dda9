/** Returns the kind of a value in words, such as "a string". */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}

const maxShown = 40;

/** Formats a value for a message: numbers and short strings as they are, of others only the kind. */
export function show(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return kindOf(value);
  if (value.length > maxShown) return `a string of ${value.length} characters`;
  return JSON.stringify(value.toWellFormed());
}

/** "Must be an integer, got a string." A value of another kind is not shown, because it may be a secret. */
export const mustBe = (what: string, value: unknown): string =>
  `Must be ${what}, got ${numeric.has(what) && typeof value === "number" ? String(value) : kindOf(value)}.`;

const numeric: ReadonlySet<string> = new Set(["an integer", "a number"]);

/** "Must be 0 to 10, got 11." */
export const mustBeWithin = (least: number | undefined, max: number | undefined, value: number): string =>
  `Must be ${range(least, max)}, got ${value}.`;

/** "Must have 1 to 16 characters, got 17." */
export function mustHave(
  least: number | undefined,
  max: number | undefined,
  unit: string,
  count: number,
): string {
  const plural = (max ?? least) === 1 ? unit : `${unit}s`;
  return `Must have ${range(least, max)} ${plural}, got ${count}.`;
}

/** "Must be one of strict, lenient; got "strickt"." */
export const mustBeOneOf = (values: readonly unknown[], value: unknown): string =>
  values.length === 1
    ? `Must be ${String(values[0])}, got ${show(value)}.`
    : `Must be one of ${values.map(String).join(", ")}; got ${show(value)}.`;

/** Prefixes a message with the name of its field: "indent must be …", or "indent: …" before any other sentence. */
export const withSubject = (subject: string, message: string): string =>
  /^(?:Must|Is|Has) [a-z]/.test(message)
    ? `${subject} ${message[0]?.toLowerCase()}${message.slice(1)}`
    : `${subject}: ${message}`;

function range(least: number | undefined, max: number | undefined): string {
  if (least === undefined) return `at most ${max}`;
  if (max === undefined) return `at least ${least}`;
  return least === max ? `exactly ${least}` : `${least} to ${max}`;
}
