import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  getNamedType,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  typeFromAST,
  validate,
} from "graphql";

/**
 * Validates the documents of pages, the arguments of `gql`, against a schema, and returns the types of their answers and
 * variables as the text of a declaration file. A document is one named operation without fragments.
 * @throws Error with file, line and reason.
 */
export function toDocumentTypes(folder: string, schemaFile: string): string {
  const schema = buildSchema(readFileSync(schemaFile, "utf8"));
  const faults: string[] = [];
  const printer = createPrinter(schema);
  /** The types, by the names of the operations. */
  const types = new Map<string, string>();
  for (const file of globSync("**/*.{ts,tsx}", { cwd: folder }).toSorted()) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const { index, 2: document = "" } of text.matchAll(/\bgql\(\s*([`"'])([^]*?)\1/g)) {
      try {
        const operation = operationOf(document, schema);
        const name = operation.name?.value ?? "";
        if (name === "" || types.has(name))
          throw new Error(name === "" ? "The operation has no name." : `There is another ${name}.`);
        types.set(name, printer.toType(operation));
      } catch (error) {
        faults.push(`${file}:${text.slice(0, index).split("\n").length}: ${(error as Error).message}`);
      }
    }
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const members = [...types].map(([name, type]) => `${name}: ${type}`);
  return `// Written by \`make docs\` from the documents of the pages and docs/schema.graphql.

${printer.declarations().join("\n")}
/** The answers and the variables of the documents, by the names of their operations. */
export interface Operations ${toObject(members)}
`;
}

function operationOf(document: string, schema: GraphQLSchema): OperationDefinitionNode {
  const parsed = parse(document);
  const faults = validate(schema, parsed);
  if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join("\n"));
  const [operation, ...others] = parsed.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0)
    throw new Error("The document is not one operation.");
  return operation;
}

interface Printer {
  /** Returns the type of what an operation answers and takes. */
  toType(operation: OperationDefinitionNode): string;
  /** Returns the enums and input objects that these types name. */
  declarations(): string[];
}

function createPrinter(schema: GraphQLSchema): Printer {
  const declared = new Map<string, string>();
  return {
    declarations: () => [...declared.values()],
    toType({ operation, selectionSet, variableDefinitions = [] }) {
      const members = variableDefinitions.map(({ variable, type, defaultValue }) =>
        toInputMember(variable.name.value, typeFromAST(schema, type) as GraphQLInputType, defaultValue),
      );
      const data = toSelection(schema.getRootType(operation), selectionSet);
      const variables = members.length === 0 ? "Record<string, never>" : toObject(members);
      return toObject([`data: ${data}`, `variables: ${variables}`]);
    },
  };

  function toSelection(type: unknown, { selections }: SelectionSetNode): string {
    const fields = selections.map((selection) => {
      const field =
        selection.kind === Kind.FIELD && isObjectType(type) && type.getFields()[selection.name.value];
      if (!field) throw new Error("Only fields of one object type can be selected here.");
      const { alias, name, selectionSet } = selection;
      const ofNamed = (named: GraphQLNamedType): string =>
        selectionSet === undefined ? toLeaf(named) : toSelection(named, selectionSet);
      return `${(alias ?? name).value}: ${toType(field.type, ofNamed)}`;
    });
    return toObject(fields);
  }

  function toInputMember(name: string, type: GraphQLInputType, defaultValue: unknown): string {
    const isOptional = !isNonNullType(type) || defaultValue !== undefined;
    return isOptional ? `${name}?: ${toType(type, toLeaf)} | undefined` : `${name}: ${toType(type, toLeaf)}`;
  }

  function toLeaf(type: GraphQLNamedType): string {
    if (!isEnumType(type) && !isInputObjectType(type)) return scalars[type.name] ?? "unknown";
    if (!declared.has(type.name)) {
      // The name is known before the fields, one of which may have the same type.
      declared.set(type.name, "");
      declared.set(
        type.name,
        isEnumType(type)
          ? `export type ${type.name} = ${type
              .getValues()
              .map(({ name }) => `"${name}"`)
              .join(" | ")};\n`
          : `export interface ${type.name} ${toObject(
              Object.values(type.getFields()).map((field) =>
                toInputMember(field.name, field.type, field.defaultValue ?? field.default),
              ),
            )}\n`,
      );
    }
    return type.name;
  }
}

/** @param ofNamed Returns the type of a value that is neither a list nor null. */
function toType(type: GraphQLType, ofNamed: (type: GraphQLNamedType) => string): string {
  if (!isNonNullType(type)) return `${toType(new GraphQLNonNull(type as never), ofNamed)} | null`;
  const inner = type.ofType as GraphQLType;
  if (!isListType(inner)) return ofNamed(getNamedType(inner));
  const item = toType(inner.ofType as GraphQLType, ofNamed);
  return item.includes(" | ") && !item.endsWith("}") ? `(${item})[]` : `${item}[]`;
}

const scalars: Readonly<Record<string, string>> = {
  ID: "string",
  String: "string",
  DateTime: "string",
  Boolean: "boolean",
  Int: "number",
  Float: "number",
  Long: "number",
};

const toObject = (members: readonly string[]): string => `{ ${members.join("; ")} }`;
