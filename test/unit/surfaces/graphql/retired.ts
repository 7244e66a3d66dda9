import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type ResolvedSchemaElement,
  resolveSchemaCoordinate,
} from "graphql";

/**
 * Returns the faults in the retired parts of a schema, by the rules of docs/graphql.md, "How the schema changes". Each fault begins with
 * the coordinate of the part.
 */
export function findRetirementFaults(schema: GraphQLSchema, changelog: string): string[] {
  return retiredParts(schema).flatMap(({ coordinate, reason }) => {
    const named = /^Use ([A-Za-z_][\w.]*(?:\(\w+:\))?) instead\./.exec(reason)?.[1];
    if (named === undefined)
      return [`${coordinate}: its reason does not begin with "Use <what replaces it> instead."`];
    const replacement = resolveSchemaCoordinate(schema, named);
    if (replacement === undefined) return [`${coordinate}: there is no ${named}`];
    if (isRetired(replacement)) return [`${coordinate}: ${named} is retired as well`];
    return sectionsOf(changelog, "Deprecated").some((section) => section.includes(`\`${coordinate}\``))
      ? []
      : [`${coordinate}: CHANGELOG.md does not list it under Deprecated`];
  });
}

/** Every deprecated part, by its coordinate. */
function retiredParts(schema: GraphQLSchema): { coordinate: string; reason: string }[] {
  const found: { coordinate: string; reason: string }[] = [];
  const look = (coordinate: string, reason: string | null | undefined): void => {
    if (reason !== null && reason !== undefined) found.push({ coordinate, reason });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type))
      for (const value of type.getValues()) look(`${type.name}.${value.name}`, value.deprecationReason);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(`${type.name}.${field.name}`, field.deprecationReason);
      for (const arg of "args" in field ? field.args : [])
        look(`${type.name}.${field.name}(${arg.name}:)`, arg.deprecationReason);
    }
  }
  return found;
}

function isRetired(element: ResolvedSchemaElement): boolean {
  const part = [
    "fieldArgument" in element && element.fieldArgument,
    "field" in element && element.field,
    "inputField" in element && element.inputField,
    "enumValue" in element && element.enumValue,
  ].find((each) => each !== false);
  return part?.deprecationReason !== undefined;
}

/** The texts under a heading of a changelog, from each release that has one. */
const sectionsOf = (changelog: string, heading: string): string[] =>
  changelog.split(/^### /m).filter((section) => section.startsWith(`${heading}\n`));
