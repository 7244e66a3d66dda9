import { type Content, type Parameter, type Reference, refTo, type Schema } from "./types.ts";

/**
 * The schema of an object. A property is required unless its name ends in a question mark.
 * @param more Other keywords, such as a description.
 */
export function objectOf(
  properties: Readonly<Record<string, Schema | Reference>>,
  more: Schema = {},
): Schema {
  const names = Object.keys(properties);
  const required = names.filter((name) => !name.endsWith("?"));
  return {
    type: "object",
    ...more,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
    ),
  };
}

/** An object whose members this document does not describe. */
export const anyObject = (description?: string): Schema =>
  described({ type: "object", additionalProperties: true }, description);

export const objectOrNull = (description?: string): Schema =>
  described({ type: ["object", "null"] }, description);

export const text = (description?: string, more: Schema = {}): Schema =>
  described({ type: "string", ...more }, description);

export const textOrNull = (description: string): Schema => text(description, { type: ["string", "null"] });

export const time = (description: string): Schema => text(description, { format: "date-time" });

export const integer = (minimum: number, description?: string, more: Schema = {}): Schema =>
  described({ type: "integer", minimum, ...more }, description);

export const listOf = (items: Schema | Reference, description?: string): Schema =>
  described({ type: "array", items }, description);

function described(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}

export const componentOf = (name: string): Reference => refTo("schemas", name);

export const json = (schema: Schema | Reference): Content => ({ "application/json": { schema } });

export const parameterIn = (
  place: Parameter["in"],
  name: string,
  description: string,
  schema: Schema = text(),
): Parameter => ({ name, in: place, ...(place === "path" && { required: true }), description, schema });
