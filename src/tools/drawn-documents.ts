import { z } from "zod";
import type { ToolContext } from "../catalog/tool.ts";
import type { Value } from "../lib/data/value.ts";
import type { Draft } from "../lib/json-schema/dialects.ts";
import { createDraw } from "../lib/random/draw.ts";
import { createSeededRandom } from "../lib/seeded-random.ts";
import { type Drawn, drawDocuments } from "../lib/test-data/draw-documents.ts";
import type { GenerateOptions } from "../lib/test-data/generate.ts";
import { locating, openDocument } from "./document.ts";
import { formatOfSchema, jsonOf } from "./json-schema-fields.ts";
import { writeValue } from "./json-value.ts";
import { refusing, refusingOption } from "./refusing.ts";

/** The field for the format of a schema that is the document. */
export const schemaFormat = z
  .enum(["auto", "json", "jsonc", "json5", "yaml", "toml"])
  .default("auto")
  .describe("Format of the schema; auto is JSON if it begins with a brace and a key, and YAML otherwise");

export interface Drawing extends GenerateOptions {
  count: number;
  invalid: "none" | "one";
  schemaFormat: z.output<typeof schemaFormat>;
  draft: Draft | "auto";
  seed: string | undefined;
}

/** Draws documents for a schema. @throws ToolError */
export async function drawFor(
  schema: string,
  { schemaFormat: given, draft, seed, invalid, ...options }: Drawing,
  context: ToolContext,
): Promise<Drawn[]> {
  const format = given === "auto" ? formatOfSchema(schema, "yaml") : given;
  const root = await openDocument(schema, format, { remedy: "set schemaFormat to" });
  const draw = createDraw(seed === undefined ? context.random : createSeededRandom(seed));
  const wanted = { ...options, invalid: invalid === "one" };
  const validating = { draft: draft === "auto" ? undefined : draft, formats: true, documents: new Map() };
  const work = () => drawDocuments(jsonOf(root, format), wanted, validating, draw);
  return refusingOption("invalid", () => refusing(schema, () => locating(root, work)));
}

/** Writes documents; one that is not valid stands beside the rule that it breaks. @throws ToolError if the text would be too long. */
export function writeDrawn(drawn: readonly Drawn[], output: "json" | "ndjson"): string {
  const values = drawn.map(({ document, broken }): Value => {
    if (broken === undefined) return document;
    const { rule, pointer, message } = broken;
    return new Map<string, Value>([
      ["rule", rule],
      ["pointer", pointer],
      ["message", message],
      ["document", document],
    ]);
  });
  if (output === "json") return writeValue(values);
  return values.map((value) => `${writeValue(value, 0)}\n`).join("");
}
