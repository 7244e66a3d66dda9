import { type ConstValueNode, GraphQLError, Kind } from "graphql";
import { literalToJson, toJson, toJsonNode } from "./json-text.ts";

/** Serialization of a scalar, and parsing from variables and from literals. */
interface Scalar {
  coerceOutputValue(value: unknown): unknown;
  coerceInputValue(value: unknown): unknown;
  coerceInputLiteral(node: ConstValueNode): unknown;
  valueToLiteral?(value: unknown): ConstValueNode;
}

/** RFC 3339 §5.6 without leap seconds; Date.parse checks the length of the month. */
const rfc3339 =
  /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))$/;

/** Resolvers receive a UTC string with milliseconds, and return such a string or epoch milliseconds. */
const dateTime: Scalar = {
  coerceOutputValue: (value) => (typeof value === "number" ? new Date(value).toISOString() : value),
  coerceInputValue: parseDateTime,
  coerceInputLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : undefined),
};

function parseDateTime(value: unknown): string {
  const [, date = "", time = ""] = (typeof value === "string" && rfc3339.exec(value)) || [];
  const day = Date.parse(date);
  const at = Date.parse(`${date}T${time.toUpperCase()}`);
  // Date.parse would accept 30 February as a day in March.
  if (Number.isNaN(at) || Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date)
    throw new GraphQLError(
      "DateTime must be a string in the form of RFC 3339, such as 2026-11-21T12:00:00Z.",
    );
  return new Date(at).toISOString();
}

/** Resolvers receive the text of the value and return the value. */
const json: Scalar = {
  coerceOutputValue: (value) => value,
  coerceInputValue: toJson,
  coerceInputLiteral(node) {
    try {
      return literalToJson(node);
    } catch (error) {
      throw new GraphQLError(`${(error as Error).message}.`, { nodes: node });
    }
  },
  valueToLiteral: toJsonNode,
};

const long: Scalar = {
  coerceOutputValue: parseLong,
  coerceInputValue: parseLong,
  coerceInputLiteral: (node) => parseLong(node.kind === Kind.INT ? Number(node.value) : undefined),
};

function parseLong(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError("Long must be an integer from -9007199254740991 to 9007199254740991.");
}

/** Scalars by name. */
export const scalars: Readonly<Record<string, Scalar>> = { DateTime: dateTime, JSON: json, Long: long };
