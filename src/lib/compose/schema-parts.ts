/** A JSON Schema, whose keyword `kind` says what a text must be after variables were replaced. */
export type Schema = { [keyword: string]: unknown };

/** Kinds of texts, which `walk.ts` checks. */
export type Kind = "boolean" | "bytes" | "duration" | "integer" | "number";

export const text: Schema = { type: "string" };

/** A value that may also be written as a text, since a variable gives one. */
export const flag: Schema = { type: ["boolean", "string"], kind: "boolean" };
export const integer: Schema = { type: ["integer", "string"], kind: "integer" };
export const number: Schema = { type: ["number", "string"], kind: "number" };
export const bytes: Schema = { type: ["integer", "number", "string"], kind: "bytes" };
export const wholeBytes: Schema = { type: ["integer", "string"], kind: "bytes" };
export const duration: Schema = { type: "string", kind: "duration" };

/** An object with these members, and those that begin with x-. */
export const object = (properties: Schema, ...required: string[]): Schema => ({
  type: "object",
  properties,
  patternProperties: { "^x-": true },
  additionalProperties: false,
  ...(required.length > 0 && { required }),
});

/** An object whose names are chosen by the author. */
export const map = (values: Schema): Schema => ({
  type: "object",
  patternProperties: { "^[a-zA-Z0-9._-]+$": values },
  additionalProperties: false,
});

/** A list of different values. */
export const list = (items: Schema = text): Schema => ({ type: "array", items, uniqueItems: true });

/** A schema, or one of other types. */
export const or = (schema: Schema, ...types: string[]): Schema => ({
  ...schema,
  type: [...[schema["type"] as string | string[]].flat(), ...types],
});

export const textOrList: Schema = or(list(), "string");

/** The members of an object, or a list of `name=value`. */
export const listOrMap: Schema = {
  ...list(),
  type: ["array", "object"],
  additionalProperties: { type: ["string", "number", "boolean", "null"] },
};

/** Options of a driver, whose names are its own. */
export const options = (...types: string[]): Schema => ({
  type: "object",
  additionalProperties: { type: ["string", ...types] },
});

export const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });

export const command: Schema = { type: ["null", "string", "array"], items: text };

export const hook: Schema = object(
  { command, user: text, privileged: flag, working_dir: text, environment: listOrMap },
  "command",
);

/** A config or a secret that a service, or a build, has access to. */
export const grants: Schema = {
  type: "array",
  items: or(object({ source: text, target: text, uid: text, gid: text, mode: number }), "string"),
};

export const ulimits: Schema = {
  type: "object",
  patternProperties: {
    "^[a-z]+$": or(object({ hard: integer, soft: integer }, "soft", "hard"), "integer", "string"),
  },
};

export const extraHosts: Schema = {
  ...list(),
  type: ["array", "object"],
  additionalProperties: { type: ["string", "array"], items: text },
};

/** Whether something exists already; the object is an old form. */
export const external: Schema = or(object({ name: text }), "boolean", "string");
