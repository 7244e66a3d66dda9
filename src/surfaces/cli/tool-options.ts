import type { ArgDef, ArgsDef } from "citty";
import { type ErrorPlace, ToolError } from "../../catalog/errors.ts";
import { type Field, fieldsOf } from "../../catalog/fields.ts";
import type { Tool } from "../../catalog/tool.ts";

/** Options of the commands themselves, which no field of a tool may be called. */
export const reservedOptions = ["help", "config", "data", "check", "out", "json"] as const;

/** The options of a tool: each field but the document, in the order of the schema. */
export const toolArgs = (tool: Tool): ArgsDef =>
  Object.fromEntries(optionFields(tool).map((field) => [toFlag(field.name), toArg(field)]));

export const repeatableOptions = (tool: Tool): string[] =>
  optionFields(tool)
    .filter((field) => field.list)
    .map((field) => toFlag(field.name));

/** Does the tool work on a document at all? */
export const takesDocument = (tool: Tool): boolean => "data" in tool.input.shape;

/** The options in a checked line, as names of fields with their values as text. */
export function toOptions(tool: Tool, raw: readonly string[]): [string, string][] {
  const names = new Map(optionFields(tool).map((field) => [toFlag(field.name), field.name]));
  return raw.slice(0, raw.indexOf("--")).flatMap((word): [string, string][] => {
    const at = word.indexOf("=");
    const name = names.get(word.slice(2, at));
    return name === undefined ? [] : [[name, word.slice(at + 1)]];
  });
}

/** Words of a refusal about a field as those of a refusal about an option. */
export function toOptionError(tool: Tool, error: ToolError): ToolError {
  const [first, ...more] = error.details.errors ?? [];
  const name = first?.pointer?.split("/")[1];
  if (error.code !== "invalid_input" || first === undefined || name === undefined) return error;
  if (!optionFields(tool).some((field) => field.name === name)) return error;
  return new ToolError("invalid_input", [first, ...more].map(toLine).join("\n"), error.details);
}

/** `sortKeys` is `--sort-keys`. */
export const toFlag = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const optionFields = (tool: Tool): readonly Field[] =>
  fieldsOf(tool.input).filter((field) => field.name !== "data");

function toArg(field: Field): ArgDef {
  const description = field.list ? `${field.description}; may be repeated` : field.description;
  if (field.type === "boolean" && !field.list) {
    return {
      type: "boolean",
      description,
      negativeDescription: `Not: ${description}`,
      default: field.default === true,
    };
  }
  return {
    type: "string",
    description,
    required: field.required,
    valueHint: field.values?.join("|") ?? hints[field.type],
    ...(field.default !== undefined && !Array.isArray(field.default) && { default: String(field.default) }),
  };
}

const hints = { string: "TEXT", integer: "N", number: "N", boolean: "true|false" } as const;

const toLine = ({ pointer, message }: ErrorPlace): string => {
  const [, name = "", ...rest] = pointer?.split("/") ?? [];
  return `--${toFlag(name)}${rest.length > 0 ? ` (${rest.join("/")})` : ""}: ${message}`;
};
