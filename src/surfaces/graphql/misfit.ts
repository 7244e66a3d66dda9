import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";

/** Members of an object above which it is compared with its type before the library validates it. */
const many = 100;

/**
 * Returns the fault of a large variable value; undefined if it is valid or small. The library prints the value into
 * each of its errors and compares each unknown member with all known ones, which takes over a second for sixty thousand
 * members.
 */
export function faultOfLargeValues(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): GraphQLError | undefined {
  if (variables === undefined) return undefined;
  for (const definition of variableDefinitions) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type) as GraphQLInputType | undefined;
    if (type === undefined || !Object.hasOwn(variables, name)) continue;
    const fault = faultOf(variables[name], type);
    if (fault !== undefined)
      return new GraphQLError(`Variable "$${name}" has an invalid value: ${fault}`, { nodes: definition });
  }
  return undefined;
}

function faultOf(value: unknown, given: GraphQLInputType): string | undefined {
  const type = getNullableType(given);
  if (typeof value !== "object" || value === null) return undefined;
  if (isListType(type)) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      const fault = faultOf(entry, type.ofType);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (Array.isArray(value)) return undefined;
  if (isInputObjectType(type)) {
    const fields = type.getFields();
    const names = Object.keys(value);
    const most = Object.keys(fields).length;
    if (names.length > Math.max(most, many)) {
      const unknown = names.find((name) => !Object.hasOwn(fields, name)) ?? "";
      return `an object of ${names.length} members where ${type.name} has ${most} fields; there is no field "${unknown.slice(0, 100)}".`;
    }
    for (const name of names) {
      const field = fields[name];
      const fault = field && faultOf((value as Record<string, unknown>)[name], field.type);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (type.name === "JSON") return undefined;
  return Object.keys(value).length > many ? `an object where ${type.name} is expected.` : undefined;
}
