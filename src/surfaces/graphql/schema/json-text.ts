import { type ConstValueNode, Kind, type OperationDefinitionNode, type StringValueNode } from "graphql";
import { textsOfMembers } from "../../../catalog/member-text.ts";
import type { OperationParams } from "../operations.ts";

// A double cannot hold every number, and a JavaScript object does not keep the order of all members. So the scalar JSON
// passes input on as text, the caller's own wherever possible.

const text: unique symbol = Symbol("json");

/** Wraps the text of a JSON value that is still to be coerced; no JSON of a caller looks like it. */
interface JsonText {
  readonly [text]: string;
}

/** Placeholder of a variable's value within a literal. */
interface JsonNode extends StringValueNode {
  readonly [text]: string;
}

const hasText = (value: unknown): value is JsonText =>
  typeof value === "object" && value !== null && text in value;

/** Returns the text of a JSON value, from the value or from the wrapper of `withJsonText`. */
export const toJson = (value: unknown): string => (hasText(value) ? value[text] : JSON.stringify(value));

/** A value within a literal, for `literalToJson`. */
export const toJsonNode = (value: unknown): ConstValueNode => {
  const node: JsonNode = { kind: Kind.STRING, value: "", [text]: toJson(value) };
  return node;
};

/** Converts a literal to JSON, every number as written. @throws Error for an enum value. */
export function literalToJson(node: ConstValueNode): string {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return node.value;
    case Kind.STRING:
      return hasText(node) ? node[text] : JSON.stringify(node.value);
    case Kind.BOOLEAN:
      return String(node.value);
    case Kind.NULL:
      return "null";
    case Kind.LIST:
      return `[${node.values.map(literalToJson).join(",")}]`;
    case Kind.OBJECT:
      return `{${node.fields.map(({ name, value }) => `${JSON.stringify(name.value)}:${literalToJson(value)}`).join(",")}}`;
    case Kind.ENUM:
      throw new Error("JSON has no enumerations; put the value in quotes");
  }
}

/**
 * Returns the variables of an operation with those of type JSON as their source texts. They are valid for one
 * execution: only the scalar JSON can read them.
 */
export function withJsonText(
  { variableDefinitions = [] }: Pick<OperationDefinitionNode, "variableDefinitions">,
  params: Pick<OperationParams, "variables" | "source">,
): OperationParams["variables"] {
  const { variables } = params;
  if (variables === undefined || variableDefinitions.length === 0) return variables;
  const names = new Set<string>();
  for (const { type, variable } of variableDefinitions) {
    const inner = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    if (inner.kind !== Kind.NAMED_TYPE || inner.name.value !== "JSON") continue;
    const name = variable.name.value;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (typeof value === "number" || (typeof value === "object" && value !== null)) names.add(name);
  }
  // Computed on first use.
  const source = names.size === 0 ? undefined : params.source;
  if (source === undefined) return variables;
  const kept = { ...variables };
  for (const [name, own] of textsOfMembers(Buffer.from(source), names))
    kept[name] = { [text]: own } satisfies JsonText;
  return kept;
}
