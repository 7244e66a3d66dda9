import type { CatalogTool } from "../../catalog/catalog.ts";
import { type Field, fieldsOf, inputSchemaOf } from "../../catalog/fields.ts";

/** Describes the fields of a tool, one a line: a model reads this with a third of the tokens of the JSON Schema. */
export function toFieldLines({ input }: Pick<CatalogTool, "input">): string[] {
  const { properties } = inputSchemaOf(input) as { properties?: Record<string, Bounds> };
  return fieldsOf(input).map((field) => {
    const { name, description } = field;
    const traits = [kindOf(field, properties?.[name] ?? {}), field.required ? "required" : defaultOf(field)];
    return `- ${name} (${traits.filter((trait) => trait !== "").join(", ")}): ${description}`;
  });
}

interface Bounds {
  minimum?: number;
  maximum?: number;
}

function kindOf({ type, list, values, json }: Field, { minimum, maximum }: Bounds): string {
  const one = values === undefined ? type : values.map((value) => JSON.stringify(value)).join(" | ");
  if (list) return `list of ${one}`;
  if (json !== undefined) return json === "object" ? "string or JSON object" : "string or JSON value";
  const bounded = minimum !== undefined && maximum !== undefined && isPlain(minimum) && isPlain(maximum);
  return bounded ? `${one} ${minimum} to ${maximum}` : one;
}

/** Bounds of the number format are no bounds of the field. */
const isPlain = (bound: number): boolean => Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const defaultOf = ({ default: value }: Field): string =>
  value === undefined ? "optional" : `default ${JSON.stringify(value)}`;
