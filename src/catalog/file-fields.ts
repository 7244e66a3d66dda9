import { type Field, fieldsOf } from "./fields.ts";
import type { Tool } from "./tool.ts";

/** The fields of a tool without its document. */
export const optionFields = (tool: Pick<Tool, "input">): readonly Field[] =>
  fieldsOf(tool.input).filter((field) => field.name !== "data");

/** The longest command line argument on Linux, in bytes (MAX_ARG_STRLEN). */
const maxWord = 131_072;

/** Fields that can be read from a file: documents, and secrets, because every user of the machine can read a command line. */
export const fileFields = (tool: Pick<Tool, "input">): readonly Field[] =>
  optionFields(tool).filter(
    (field) =>
      !field.list && (field.json !== undefined || isSecret(field) || (field.maxLength ?? 0) > maxWord),
  );

export const isSecret = ({ name, type }: Field): boolean =>
  type === "string" && /^(?:key|secret)$/.test(name);

/** The text of a field that was read from a file: the line end that an editor adds is not part of a secret. */
export const toFieldText = (field: Field, text: string): string =>
  isSecret(field) ? text.replace(/\r?\n$/, "") : text;
