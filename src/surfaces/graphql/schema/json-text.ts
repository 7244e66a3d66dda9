import { type ConstValueNode, Kind, type OperationDefinitionNode, type StringValueNode } from "graphql";
import { textsOfMembers } from "../../../catalog/member-text.ts";
import type { OperationParams } from "../operations.ts";

// A double cannot hold every number, nor an object of JavaScript the order of every object's members. So what the scalar
// JSON takes in goes on as text, the caller's own wherever there is one.

const text: unique symbol = Symbol("json");

/** A JSON value that is still to be coerced, as its text; no JSON of a caller's looks like it. */
interface JsonText {
  readonly [text]: string;
}

/** What stands for the value of a variable within a literal. */
interface JsonNode extends StringValueNode {
  readonly [text]: string;
}

const hasText = (value: unknown): value is JsonText =>
  typeof value === "object" && value !== null && text in value;

/** The text of a JSON value, from the value or from what `withJsonText` has put in its place. */
export const toJson = (value: unknown): string => (hasText(value) ? value[text] : JSON.stringify(value));

/** The node of a value within a literal, for `literalToJson`. */
export const toJsonNode = (value: unknown): ConstValueNode => {
  const node: JsonNode = { kind: Kind.STRING, value: "", [text]: toJson(value) };
  return node;
};

/** A literal as JSON, every number as it was written. @throws Error for the value of an enumeration. */
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
 * The variables of an operation, those of the type JSON as the texts that they were parsed from. They are for one execution:
 * only the scalar JSON can read them.
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
  // The text is made when it is asked for.
  const source = names.size === 0 ? undefined : params.source;
  if (source === undefined) return variables;
  const kept = { ...variables };
  for (const [name, own] of textsOfMembers(Buffer.from(source), names))
    kept[name] = { [text]: own } satisfies JsonText;
  return kept;
}
