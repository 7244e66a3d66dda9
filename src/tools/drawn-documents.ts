import type { Value } from "../lib/data/value.ts";
import type { Drawn } from "../lib/test-data/draw-documents.ts";
import { writeValue } from "./json-value.ts";

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
