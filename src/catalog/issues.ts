import type { z } from "zod";
import { toPointer } from "../lib/json/pointer.ts";
import { mustBe, mustBeOneOf, mustBeWithin, mustHave, withSubject } from "../lib/must.ts";
import { withoutTrace } from "../lib/without-trace.ts";
import { type ErrorPlace, ToolError } from "./errors.ts";
import { inputSchemaOf, jsonFieldsOf } from "./fields.ts";

/** Replaces every message of zod, but not one that a schema defines itself. */
const unexplained = "unexplained";

/**
 * Validates values against a schema and fills in defaults.
 * @throws ToolError invalid_input with a sentence and a pointer for each fault. No message of zod is shown.
 */
export function validate<Schema extends z.ZodObject>(schema: Schema, raw: unknown): z.output<Schema> {
  // The error of zod never leaves this function.
  const parsed = withoutTrace(() => schema.safeParse(raw, { reportInput: true, error: () => unexplained }));
  if (parsed.success) return parsed.data as z.output<Schema>;
  throw toRefusal(schema, parsed.error.issues);
}

function toRefusal(schema: z.ZodObject, issues: readonly z.core.$ZodIssue[]): ToolError {
  // After a wrong type, zod also checks the length; only the first fault of a place is reported.
  const errors: (ErrorPlace & { pointer: string })[] = [];
  for (const issue of issues) {
    const pointer = toPointer(issue.path);
    if (!errors.some((error) => error.pointer === pointer))
      errors.push({ message: toMessage(schema, issue), pointer });
  }
  const subject = toSubject(issues[0]?.path ?? []);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new ToolError("invalid_input", withSubject(subject, errors[0]?.message ?? "") + more, { errors });
}

/** Formats a path as `paths[1]` or `anchor.seq`; an empty path is "The body". */
function toSubject(path: readonly PropertyKey[]): string {
  let subject = "";
  for (const part of path)
    subject += typeof part === "number" ? `[${part}]` : `${subject === "" ? "" : "."}${String(part)}`;
  return subject === "" ? "The body" : subject;
}

function toMessage(schema: z.ZodObject, issue: z.core.$ZodIssue): string {
  const { input, message } = issue;
  if (message !== unexplained) return message;
  if (input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value"))
    return "Is required.";
  switch (issue.code) {
    case "invalid_type":
      return mustBe(toKind(schema, issue), input);
    case "too_small":
    case "too_big":
      return toBounds(schema, issue);
    case "invalid_value":
      return mustBeOneOf(issue.values, input);
    case "invalid_format":
      return formats[issue.format] ?? "Must have the format that its schema describes.";
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}, got ${String(input)}.`;
    case "unrecognized_keys":
      return `Has no field ${issue.keys.map((key) => JSON.stringify(key.slice(0, 64))).join(", ")}.`;
    default:
      return "Must be valid against its schema.";
  }
}

const kinds: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array, even of one value",
  object: "an object",
};

const formats: Record<string, string | undefined> = {
  datetime: "Must be a date and time with an offset, such as 2026-01-31T12:00:00Z.",
};

/** A field marked as JSON also takes an object, which is converted to text before validation. */
function toKind(schema: z.ZodObject, { expected, path }: z.core.$ZodIssueInvalidType): string {
  const json = path.length === 1 && jsonFieldsOf(schema).has(String(path[0]));
  if (json && expected === "string") return "a string or a JSON object";
  if (expected === "number" && propertyAt(schema, path).type === "integer") return "an integer";
  return kinds[expected] ?? expected;
}

/** The parts of a JSON Schema that messages need. */
interface Property {
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Property;
  properties?: Record<string, Property>;
  /** Present if the value may be null. */
  anyOf?: Property[];
}

function propertyAt(schema: z.ZodObject, path: readonly PropertyKey[]): Property {
  let at: Property | undefined = inputSchemaOf(schema);
  for (const part of path) {
    at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
    at = at?.anyOf?.find(({ type }) => type !== "null") ?? at;
  }
  return at ?? {};
}

/** Names both bounds; zod reports only the one that was exceeded. */
function toBounds(
  schema: z.ZodObject,
  { origin, path, input }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall,
): string {
  const property = propertyAt(schema, path);
  if (typeof input === "string")
    return mustHave(property.minLength, property.maxLength, "character", input.length);
  if (Array.isArray(input)) return mustHave(property.minItems, property.maxItems, "item", input.length);
  if (origin === "int" && !Number.isSafeInteger(input)) return mustBe("an integer", input);
  return mustBeWithin(property.minimum, property.maximum, Number(input));
}
