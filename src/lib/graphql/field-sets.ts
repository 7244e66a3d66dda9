import type { DirectiveNode, GraphQLSchema } from "graphql";
import type { Subgraph } from "./federation.ts";
import { type Graphql, type GraphqlProblem, maxProblems, parseDocument, toMessage } from "./problem.ts";

/** Most sets checked in one schema; each is a document of its own. */
const maxSets = 10_000;

/** Checks that the fields that @key, @requires and @provides name exist. */
export function checkFieldSets(
  graphql: Graphql,
  schema: GraphQLSchema,
  { document, directives }: Subgraph,
): GraphqlProblem[] {
  const problems: GraphqlProblem[] = [];
  const rules = [graphql.FieldsOnCorrectTypeRule, graphql.ScalarLeafsRule, graphql.KnownTypeNamesRule];
  let left = maxSets;

  function check(type: string, directive: DirectiveNode): void {
    const value = directive.arguments?.find((one) => one.name.value === "fields")?.value;
    if (value?.kind !== "StringValue" || left-- <= 0 || problems.length >= maxProblems) return;
    for (const message of faultsOf(`fragment FieldSet on ${type} { ${value.value} }`))
      problems.push({
        message: toMessage(`The fields of @${directive.name.value} are wrong: ${message}`),
        rule: "federation-fields",
        index: value.loc?.start ?? 0,
      });
  }

  function faultsOf(text: string): string[] {
    const fragment = parseDocument(graphql, text, 1000);
    if (!("kind" in fragment)) return fragment.map(({ message }) => message);
    if (fragment.definitions.length > 1) return ["there is more than one selection."];
    return graphql.validate(schema, fragment, rules, { maxErrors: 3 }).map(({ message }) => message);
  }

  const named = (names: readonly string[], nodes: readonly DirectiveNode[] = []): DirectiveNode[] =>
    nodes.filter(({ name }) => names.some((one) => directives.get(one) === name.value));
  for (const definition of document.definitions) {
    if (
      definition.kind !== "ObjectTypeDefinition" &&
      definition.kind !== "ObjectTypeExtension" &&
      definition.kind !== "InterfaceTypeDefinition" &&
      definition.kind !== "InterfaceTypeExtension"
    )
      continue;
    for (const directive of named(["key"], definition.directives)) check(definition.name.value, directive);
    for (const field of definition.fields ?? []) {
      for (const directive of named(["requires"], field.directives)) check(definition.name.value, directive);
      let { type } = field;
      while (type.kind !== "NamedType") ({ type } = type);
      for (const directive of named(["provides"], field.directives)) check(type.name.value, directive);
    }
  }
  return problems;
}
