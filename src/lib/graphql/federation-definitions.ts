/** A directive of Apollo Federation; types of arguments that federation defines begin with `$`. */
interface DirectiveSpec {
  arguments?: string;
  /** `repeatable`, if it is, and the locations. */
  on: string;
  /** Whether version 1 has it. */
  first?: true;
}

const types = "OBJECT | INTERFACE | SCALAR | ENUM";
const all =
  "FIELD_DEFINITION | INTERFACE | OBJECT | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION";

/** The directives of the federation specification, by name. */
export const federationDirectives: Readonly<Record<string, DirectiveSpec>> = {
  key: {
    arguments: "fields: $FieldSet!, resolvable: Boolean = true",
    on: "repeatable on OBJECT | INTERFACE",
    first: true,
  },
  requires: { arguments: "fields: $FieldSet!", on: "on FIELD_DEFINITION", first: true },
  provides: { arguments: "fields: $FieldSet!", on: "on FIELD_DEFINITION", first: true },
  external: { arguments: "reason: String", on: "on OBJECT | FIELD_DEFINITION", first: true },
  extends: { on: "on OBJECT | INTERFACE", first: true },
  tag: { arguments: "name: String!", on: `repeatable on ${all} | SCHEMA`, first: true },
  shareable: { on: "repeatable on OBJECT | FIELD_DEFINITION" },
  inaccessible: { on: `on ${all}` },
  override: { arguments: "from: String!, label: String", on: "on FIELD_DEFINITION" },
  composeDirective: { arguments: "name: String!", on: "repeatable on SCHEMA" },
  interfaceObject: { on: "on OBJECT" },
  authenticated: { on: `on FIELD_DEFINITION | ${types}` },
  requiresScopes: { arguments: "scopes: [[$Scope!]!]!", on: `on FIELD_DEFINITION | ${types}` },
  policy: { arguments: "policies: [[$Policy!]!]!", on: `on FIELD_DEFINITION | ${types}` },
  context: { arguments: "name: String!", on: "repeatable on INTERFACE | OBJECT | UNION" },
  fromContext: { arguments: "field: $ContextFieldValue", on: "on ARGUMENT_DEFINITION" },
  cost: {
    arguments: "weight: Int!",
    on: "on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR",
  },
  listSize: {
    arguments:
      "assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true",
    on: "on FIELD_DEFINITION",
  },
};

const scalars = ["FieldSet", "Scope", "Policy", "ContextFieldValue"];

/**
 * Returns the definitions of a version in SDL, one a definition.
 * @param toName The name in the schema of `@name`, or of the type `name`.
 */
export function toDefinitions(version: "1" | "2", toName: (name: string) => string): string[] {
  const localType = (name: string): string => toName(name);
  const directives = Object.entries(federationDirectives)
    .filter(([, { first }]) => version === "2" || first === true)
    .map(([name, spec]) => {
      const given = spec.arguments?.replaceAll(/\$(\w+)/g, (_, type: string) => localType(type));
      return `directive ${toName(`@${name}`)}${given === undefined ? "" : `(${given})`} ${spec.on}`;
    });
  return [
    ...directives,
    ...scalars.map((name) => `scalar ${localType(name)}`),
    "directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA",
    "scalar link__Import",
    "enum link__Purpose { SECURITY EXECUTION }",
    "scalar _Any",
    "type _Service { sdl: String }",
  ];
}
