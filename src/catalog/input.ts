import { ToolError } from "./errors.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { mustBe, show, withSubject } from "../lib/must.ts";
import { validate } from "./issues.ts";
import { nearest } from "../lib/nearest.ts";
import type { Tool } from "./tool.ts";

/**
 * Validates a caller's fields and fills in defaults.
 * @throws ToolError unknown_field or invalid_input, with a pointer to every faulty field.
 */
export function parseInput(tool: Pick<Tool, "input">, raw: unknown): Record<string, unknown> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new ToolError(
      "invalid_input",
      'The body must be a JSON object with the fields of the tool, such as {"data": "…"}.',
      { errors: [{ message: mustBe("an object", raw), pointer: "" }] },
    );
  }
  const shape = tool.input.shape;
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(shape, name)) throw unknownField(name, Object.keys(shape));
  }
  return validate(tool.input, raw);
}

/**
 * Reads options given as text: query parameters and flags. The schema decides which are numbers and booleans; a repeated
 * name is a list if the schema has a list, and an error otherwise.
 */
export function fromStrings(tool: Tool, pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const known = new Map(fieldsOf(tool.input).map((field) => [field.name, field]));
  const values = new Map<string, unknown>();
  for (const [name, text] of pairs) {
    const field = known.get(name);
    if (field === undefined) throw unknownField(name, known.keys());
    const value = fromString(field, text);
    const before = values.get(name);
    if (field.list) values.set(name, Array.isArray(before) ? [...(before as unknown[]), value] : [value]);
    else if (before === undefined) values.set(name, value);
    else throw invalidField(name, `${name} is given more than once; give it once.`);
  }
  return Object.fromEntries(values);
}

/** @throws ToolError invalid_input if the text is not a value of the field's type. */
export function fromString(field: Pick<Field, "name" | "type">, text: string): unknown {
  switch (field.type) {
    case "boolean":
      // A bare flag (`?sortKeys`) means yes.
      if (text === "true" || text === "" || text === "1") return true;
      if (text === "false" || text === "0") return false;
      throw invalidField(field.name, `Must be true or false, got ${show(text)}.`);
    case "integer":
    case "number":
      if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
      throw invalidField(
        field.name,
        `Must be ${field.type === "integer" ? "an integer" : "a number"}, got ${show(text)}.`,
      );
    case "string":
      return text;
  }
}

/** The error for a field that the schema does not have. */
export function unknownField(name: string, known: Iterable<string>): ToolError {
  const names = [...known];
  const near = nearest(name, names);
  const hint = near === undefined ? `Known fields: ${names.join(", ")}.` : `Did you mean ${near}?`;
  const message = `Unknown field ${quote(name)}. ${hint}`;
  return new ToolError("unknown_field", message, {
    errors: [{ message, pointer: toPointer([name.slice(0, 64)]) }],
    ...(near !== undefined && { nearest: near }),
  });
}

/** The error for a field with an invalid value. */
export function invalidField(name: string, message: string): ToolError {
  return new ToolError("invalid_input", withSubject(name, message), {
    errors: [{ message, pointer: toPointer([name]) }],
  });
}

/** Quotes a name, shortened to fit a message. */
const quote = (name: string): string => JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
