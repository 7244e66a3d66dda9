import { type Input, isEmpty } from "../editor/input.ts";
import type { Definition, FieldSchema } from "./definition.ts";

/** The control that edits a field. */
export type FieldKind = "choice" | "choices" | "flag" | "number" | "lines" | "secret" | "document" | "line";

/** Longest text that has a line of its own; longer ones get several. */
const maxLine = 1000;
const secretName = /^(?:secret|key|password|seed)$/;

export function kindOf(name: string, schema: FieldSchema): FieldKind {
  if (schema.type === "array") return schema.items?.enum === undefined ? "lines" : "choices";
  if (schema.enum !== undefined) return "choice";
  if (schema.type === "boolean") return "flag";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (secretName.test(name)) return "secret";
  if (schema.format === "date-time") return "line";
  if (schema.anyOf !== undefined || (schema.maxLength ?? Infinity) > maxLine) return "document";
  return "line";
}

/** The fields of a tool but its document, those without a default first. */
export function optionsOf({ input }: Definition): [name: string, schema: FieldSchema, isRequired: boolean][] {
  const required = new Set(input.required);
  return Object.entries(input.properties)
    .filter(([name]) => name !== "data")
    .map(([name, schema]): [string, FieldSchema, boolean] => [name, schema, required.has(name)])
    .toSorted(([, , one], [, , other]) => Number(other) - Number(one));
}

/** The time zone of the browser. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the values that a page begins with. */
export function startOf({ page }: Definition): Record<string, unknown> {
  const [zone] = page?.zones ?? [];
  return { ...page?.start, ...(zone !== undefined && { [zone]: localZone() }) };
}

/** Returns the required fields without a value, but for the document of the tool. @param second The second document. */
export const missingOf = (
  { input, page }: Definition,
  options: Readonly<Record<string, unknown>>,
  second: Input | undefined,
): string[] =>
  (input.required ?? []).filter((name) => {
    const isSecond = name === page?.second && second !== undefined && !isEmpty(second);
    return name !== "data" && !(name in options) && !isSecond;
  });

export const takesDocument = ({ input }: Definition): boolean => "data" in input.properties;

/** Returns the options with one changed; an option with its default is left out. */
export function withOption(
  options: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
  schema: FieldSchema,
): Record<string, unknown> {
  const { [name]: _, ...others } = options;
  const isDefault = value === undefined || JSON.stringify(value) === JSON.stringify(schema.default);
  return isDefault ? others : { ...others, [name]: value };
}

/** Returns the value of a text that was typed into a field; undefined for nothing. */
export function parseField(kind: FieldKind, text: string): unknown {
  if (text === "") return undefined;
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === "lines") {
    const lines = text.split("\n");
    return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  }
  return text;
}

/** Returns the text that a field shows for a value. */
export function showField(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.join("\n");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** `sortKeys` as words: "Sort keys". */
export function toLabel(name: string): string {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
  return words[0]?.toUpperCase() + words.slice(1);
}
