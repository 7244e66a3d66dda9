import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { invalidField } from "../catalog/input.ts";
import { type DataFormat, dataFormats, takesDuplicates } from "../lib/data/convert.ts";
import { createUnflattener } from "../lib/data/unflatten.ts";
import { isDictionary, isList, type Value } from "../lib/data/value.ts";
import { DocumentFault } from "../lib/fault.ts";
import { isCommented } from "./format-json.ts";
import { refusingJson } from "./json-dialect.ts";
import { advising, refusing } from "./refusing.ts";

/** The input of data-converter. */
export const converterInput = z.object({
  data: z.string().describe("The document"),
  from: z
    .enum(dataFormats)
    .describe(
      "Format of the document; jsonc is JSON with comments and trailing commas; tags of YAML such as !Ref are dropped, yaml-to-json can keep them",
    ),
  to: z
    .enum(dataFormats)
    .describe(
      "Format of the result; values that it cannot represent are refused, comments are kept between jsonc and json5",
    ),
  indent: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Spaces per level, for formats with indentation; 0 writes JSON and XML on one line"),
  duplicateKeys: z
    .enum(["error", "last", "list"])
    .default("error")
    .describe(
      "Handling of a key that repeats: error refuses it, last keeps the last value (JSON, INI, properties and ENV), list makes a list of all (INI, properties and ENV)",
    ),
  unflatten: z
    .boolean()
    .default(false)
    .describe(
      "Turn dotted keys (in ENV, names with _) into nested objects, and keys 0, 1 and so on into lists",
    ),
});

/** @throws ToolError invalid_input if the formats have no such options */
export function checkOptions({
  from,
  to,
  duplicateKeys,
  unflatten,
}: Pick<z.output<typeof converterInput>, "from" | "to" | "duplicateKeys" | "unflatten">): void {
  const isJson = from === "json" || isCommented(from);
  if (!takesDuplicates(from, duplicateKeys))
    throw invalidField("duplicateKeys", `Must be ${isJson ? "error or last" : "error"} if from is ${from}.`);
  if (!isCommented(from) || !isCommented(to)) return;
  const kept = `Has no meaning from ${from} to ${to}, where members and comments are kept; set to to json.`;
  if (duplicateKeys !== "error") throw invalidField("duplicateKeys", kept);
  if (unflatten) throw invalidField("unflatten", kept);
}

/** Nests the members of an object, or of each object of a list. @throws DocumentFault */
export function nest(value: Value, separator: string): Value {
  const unflatten = createUnflattener(separator);
  if (isList(value)) return value.map((item) => (isDictionary(item) ? unflatten(item) : item));
  return isDictionary(value) ? unflatten(value) : value;
}

/** Like `refusing`; the refusal of a JSON document names the format that accepts it. */
export const refusingIn = <T>(data: string, from: DataFormat, work: () => T): T =>
  from === "json" || isCommented(from)
    ? refusingJson(data, from, work, { remedy: "set from to", duplicates: "last" })
    : refusing(data, () => advising(work, (fault) => advise(from, fault)));

/** Runs work on a document. Only in JSON can the value be located; for other formats the pointer is added to the message. */
export function refusingValue(data: string, from: DataFormat, work: () => string): string {
  if (from === "json" || isCommented(from)) return refusingJson(data, from, work);
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { message, at } = error;
    const { pointer } = at;
    const errors = pointer === undefined ? [] : [{ message, pointer }];
    throw new ToolError("invalid_document", pointer ? `${message} (${pointer})` : message, { errors });
  }
}

/** Says what accepts a document that is not JSON. */
function advise(from: DataFormat, { message, rule }: DocumentFault): string | undefined {
  if (rule === "duplicate-key" && from !== "env" && takesDuplicates(from, "list"))
    return "To accept it, set duplicateKeys to last or list.";
  const converter = { csv: "csv-to-json", tsv: "csv-to-json", yaml: "yaml-to-json" }[String(from)];
  return converter !== undefined && / set \w+ to /.test(message)
    ? `${converter} has this option.`
    : undefined;
}
