import { ToolError } from "./errors.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { mustBe, show, withSubject } from "../lib/must.ts";
import { validate } from "./issues.ts";
import { nearest } from "./nearest.ts";
import type { Tool } from "./tool.ts";

/**
 * Turns what a caller sent into the input of the tool, defaults filled in.
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
 * Reads options that came as text: query parameters and flags. Numbers and booleans are told by the schema,
 * a repeated name is a list where the schema has one and an error where it has not.
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
    else throw invalidField(name, "Given more than once; give it once.");
  }
  return Object.fromEntries(values);
}

/** @throws ToolError invalid_input where the text is no value of the field's type. */
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

/** A field that the schema does not have. */
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

/** A field of the input with a value it cannot have. */
export function invalidField(name: string, message: string): ToolError {
  return new ToolError("invalid_input", withSubject(name, message), {
    errors: [{ message, pointer: toPointer([name]) }],
  });
}

/** A name as the caller wrote it, cut to what a message can bear. */
const quote = (name: string): string => JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
