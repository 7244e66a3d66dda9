import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { invalidField } from "../catalog/input.ts";
import { type DataFormat, dataFormats, takesDuplicates } from "../lib/data/convert.ts";
import { createUnflattener } from "../lib/data/unflatten.ts";
import { isDictionary, isList, type Value } from "../lib/data/value.ts";
import { withoutNulls } from "../lib/data/without-nulls.ts";
import { DocumentFault } from "../lib/fault.ts";
import { yamlTags } from "../lib/yaml/from-yaml.ts";
import { isCommented } from "./format-json.ts";
import { refusingJson } from "./json-dialect.ts";
import { advising, refusing } from "./refusing.ts";

/** The input of data-converter. */
export const converterInput = z.object({
  data: z.string().describe("The document"),
  from: z
    .enum(dataFormats)
    .describe("Format of the document; jsonc is JSON with comments and trailing commas"),
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
  tags: z
    .enum(yamlTags)
    .default("error")
    .describe(
      "Handling of tags of YAML such as !Ref: error refuses them, drop keeps the value alone, keep makes it an object with the tag as its key, cloudformation writes the long form of its functions",
    ),
  inlineComments: z
    .boolean()
    .default(false)
    .describe("Read ; and # after white space as the beginning of a comment in values of INI"),
  nulls: z
    .enum(["keep", "omit"])
    .default("keep")
    .describe(
      "Handling of null: keep writes it or, to TOML, refuses it; omit leaves out members that are null",
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
  tags,
  inlineComments,
  nulls,
}: Omit<z.output<typeof converterInput>, "data" | "indent">): void {
  if (tags !== "error" && from !== "yaml") throw invalidField("tags", "Has a meaning only if from is yaml.");
  if (inlineComments && from !== "ini")
    throw invalidField("inlineComments", "Has a meaning only if from is ini.");
  const isJson = from === "json" || isCommented(from);
  if (!takesDuplicates(from, duplicateKeys))
    throw invalidField("duplicateKeys", `Must be ${isJson ? "error or last" : "error"} if from is ${from}.`);
  if (!isCommented(from) || !isCommented(to)) return;
  const kept = `Has no meaning from ${from} to ${to}, where members and comments are kept; set to to json.`;
  if (duplicateKeys !== "error") throw invalidField("duplicateKeys", kept);
  if (unflatten) throw invalidField("unflatten", kept);
  if (nulls !== "keep") throw invalidField("nulls", kept);
}

/** Leaves out the members that are null, if asked to; items of lists keep their places. */
export const prepare = (value: Value, nulls: "keep" | "omit"): Value =>
  nulls === "omit" ? withoutNulls(value) : value;

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
