import type { Value } from "../data/value.ts";
import { toJsonValues, validateSchema } from "../json-schema/validate.ts";
import { type ConfigFinding, inspect } from "./inspect.ts";
import type { ConfigKind } from "./kinds.ts";
import { toSchema } from "./to-schema.ts";

/** Validates the document of a configuration file: types, required fields, values of choices, and fields that are not known. */
export async function validateConfig(
  document: Value,
  { shape }: ConfigKind,
  unknown: "error" | "warning",
): Promise<ConfigFinding[]> {
  const value = toJsonValues(document);
  const options = { draft: undefined, formats: false, documents: new Map<string, Value>() };
  const violations = await validateSchema(value, toSchema(shape), options);
  return [
    ...violations.map((one): ConfigFinding => ({ ...one, severity: "error" })),
    ...inspect(value, shape, unknown),
  ];
}
