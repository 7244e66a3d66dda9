import { z } from "zod";
import { isList, type Value } from "../lib/data/value.ts";
import { readNdjson } from "../lib/ndjson/read.ts";
import { type Shape, shapeOf } from "../lib/types/shape.ts";
import { openDocument } from "./document.ts";
import { refuse, refusing } from "./refusing.ts";

/** The fields that say what in a document is a sample. */
export const sampleFields = {
  dataFormat: z
    .enum(["json", "jsonc", "json5", "ndjson", "yaml", "toml"])
    .default("json")
    .describe("Format of the document; each line of NDJSON is a sample"),
  samples: z
    .boolean()
    .default(false)
    .describe("Take each item of the array in the document as a sample, not the array as one"),
};

/** Reads the shape of the samples in a document. @throws ToolError */
export async function readShape(
  data: string,
  { dataFormat, samples }: { [Name in keyof typeof sampleFields]: z.output<(typeof sampleFields)[Name]> },
): Promise<Shape> {
  if (dataFormat === "ndjson") {
    const values = refusing(data, () => readNdjson(data, { skipInvalid: false }));
    return shapeOf(values as Value[]);
  }
  const { value } = await openDocument(data, dataFormat, { remedy: "set dataFormat to" });
  if (!samples) return shapeOf([value]);
  if (isList(value)) return shapeOf(value);
  throw refuse(data, { pointer: "" }, "Expected an array of samples; leave out samples for a single one.");
}
