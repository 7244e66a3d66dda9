import type { ArgDef, ArgsDef } from "citty";
import { type ErrorPlace, ToolError } from "../../catalog/errors.ts";
import { withSubject } from "../../lib/must.ts";
import { fileFields, isSecret, optionFields } from "../../catalog/file-fields.ts";
import type { Field } from "../../catalog/fields.ts";
import type { Tool } from "../../catalog/tool.ts";
import { toFlag } from "../../lib/shell-words.ts";
import type { Twins } from "./command.ts";

/** Options of the commands themselves, which no field of a tool may use; `format` is reserved too in tools with a check mode. */
export const reservedOptions = [
  "help",
  "config",
  "data",
  "check",
  "report-only",
  "out",
  "newline",
  "text",
  "json",
] as const;

/** The options of a tool: each field except the document, in schema order, with `--schema-file` beside `--schema`. */
export function toolArgs(tool: Tool): ArgsDef {
  const byFile = new Set(fileFields(tool));
  return Object.fromEntries(
    optionFields(tool).flatMap((field): [string, ArgDef][] => {
      if (!byFile.has(field)) return [[toFlag(field.name), toArg(field, tool.whenOff?.[field.name])]];
      const end = isSecret(field) ? ", without its final line end" : "";
      const description = `Read --${toFlag(field.name)} from FILE${end}`;
      return [
        [toFlag(field.name), { ...toArg(field), required: false }],
        [toFileFlag(field), { type: "string", valueHint: "FILE", description }],
      ];
    }),
  );
}

export const fileTwins = (tool: Tool): (Twins & { file: string })[] =>
  fileFields(tool).map((field) => ({
    text: toFlag(field.name),
    file: toFileFlag(field),
    ...(isSecond(field) && { operand: "second" }),
    required: field.required,
  }));

/** Whether the tool compares two documents, so that `run` takes two files. */
export const takesTwo = (tool: Tool): boolean => takesDocument(tool) && fileFields(tool).some(isSecond);

/** Every comparison calls its second document `other`. */
export const isSecond = ({ name, required }: Field): boolean => name === "other" && required;

export const toFileFlag = ({ name }: Field): string => `${toFlag(name)}-file`;

export const repeatableOptions = (tool: Tool): string[] =>
  optionFields(tool)
    .filter((field) => field.list)
    .map((field) => toFlag(field.name));

export const takesDocument = (tool: Tool): boolean => "data" in tool.input.shape;

/** The options in a validated line, as field names with values as text. */
export function toOptions(tool: Tool, raw: readonly string[]): [string, string][] {
  const names = new Map(optionFields(tool).map((field) => [toFlag(field.name), field.name]));
  return raw.slice(0, raw.indexOf("--")).flatMap((word): [string, string][] => {
    const at = word.indexOf("=");
    const name = names.get(word.slice(2, at));
    return name === undefined ? [] : [[name, word.slice(at + 1)]];
  });
}

/** Rewrites an error about fields as an error about options. */
export function toOptionError(tool: Tool, error: ToolError): ToolError {
  const [first, ...more] = error.details.errors ?? [];
  const name = first?.pointer?.split("/")[1];
  if (error.code !== "invalid_input" || first === undefined || name === undefined) return error;
  if (!optionFields(tool).some((field) => field.name === name)) return error;
  return new ToolError("invalid_input", [first, ...more].map(toLine).join("\n"), error.details);
}

function toArg(field: Field, whenOff?: string): ArgDef {
  const description = field.list ? `${field.description}; repeatable` : field.description;
  if (field.type === "boolean" && !field.list) {
    return {
      type: "boolean",
      description,
      ...(whenOff !== undefined && { negativeDescription: whenOff }),
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
  const value = rest.length > 0 ? ` (value ${Number(rest[0]) + 1})` : "";
  return withSubject(`--${toFlag(name)}${value}`, message);
};
