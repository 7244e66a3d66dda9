import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { invalidField } from "../catalog/input.ts";
import { isList } from "../lib/data/value.ts";
import { evaluateJq } from "../lib/jq/evaluate.ts";
import { fromValue } from "../lib/jq/from-value.ts";
import { LimitError } from "../lib/jq/meter.ts";
import type { JqValue } from "../lib/jq/value.ts";
import { TextTooLong } from "../lib/jq/write-json.ts";
import type { JsonDialect } from "../lib/json/source.ts";
import { readNdjson } from "../lib/ndjson/read.ts";
import { readJson } from "./json-dialect.ts";
import { readDictionary } from "./json-value.ts";
import { refusing, refusingOption } from "./refusing.ts";

/** The options of json-query that only jq has. */
export const jqFields = {
  arguments: z
    .string()
    .max(1_048_576)
    .default("{}")
    .meta({ json: "object" })
    .describe("Variables of a jq filter as a JSON object: $name for each member, all in $ARGS.named"),
  slurp: z
    .boolean()
    .default(false)
    .describe(
      "Run a jq filter once, on an array of all inputs; with inputs raw, on the whole text as one string",
    ),
  inputs: z
    .enum(["document", "ndjson", "raw"])
    .default("document")
    .describe(
      "What a jq filter runs on: the document, each line as a JSON text (ndjson), or each line as a string (raw); input and inputs read the following ones",
    ),
};

/** @throws ToolError invalid_input for a field that the other languages lack */
export function checkJqFields(fields: { arguments: string; slurp: boolean; inputs: string }): void {
  const [field] = [
    ...(fields.arguments === "{}" ? [] : ["arguments"]),
    ...(fields.slurp ? ["slurp"] : []),
    ...(fields.inputs === "document" ? [] : ["inputs"]),
  ];
  if (field !== undefined) throw invalidField(field, `${field} applies to jq: set language to jq.`);
}

interface JqQuery {
  query: string;
  dialect: JsonDialect;
  indent: number;
  output: string;
  arguments: string;
  slurp: boolean;
  inputs: "document" | "ndjson" | "raw";
  now: number | undefined;
}

/** Returns the results of a jq filter, one after the other. @throws ToolError */
export async function queryJq(
  data: string,
  { query, arguments: given, ...options }: JqQuery,
): Promise<string> {
  const variables = variablesOf(given);
  const inputs = readInputs(data, options);
  const raw = options.output === "raw";
  try {
    return await refusingOption("query", () =>
      refusing("", () =>
        evaluateJq(query, options.slurp ? [slurped(data, inputs, options.inputs)] : inputs, {
          variables,
          now: options.now,
          raw,
          indent: raw ? 0 : options.indent,
        }),
      ),
    );
  } catch (error) {
    if (error instanceof LimitError)
      throw new ToolError("memory_exceeded", error.message, { limit: error.limit });
    if (error instanceof TextTooLong)
      throw new ToolError(
        "memory_exceeded",
        "The results are larger than the limit. Select less of the document.",
      );
    throw error;
  }
}

function variablesOf(given: string): Map<string, JqValue> {
  const variables = new Map<string, JqValue>();
  for (const [name, value] of readDictionary(given, "arguments", 'an object such as {"name": 1}')) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw invalidField(
        "arguments",
        `${JSON.stringify(name.slice(0, 64))} is not a name of a variable: use letters, digits and _.`,
      );
    variables.set(name, fromValue(value));
  }
  return variables;
}

function readInputs(data: string, { inputs, dialect }: Pick<JqQuery, "inputs" | "dialect">): JqValue[] {
  if (inputs === "document") return [fromValue(readJson(data, dialect))];
  if (dialect !== "json")
    throw invalidField("dialect", `${dialect} applies to a document; set inputs to document.`);
  if (inputs === "raw") return linesOf(data);
  const list = refusing(data, () => readNdjson(data, { skipInvalid: false }));
  return isList(list) ? list.map(fromValue) : [];
}

/** The lines of a text; the last one may have no line end. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const slurped = (data: string, inputs: JqValue[], kind: JqQuery["inputs"]): JqValue =>
  kind === "raw" ? data : inputs;
