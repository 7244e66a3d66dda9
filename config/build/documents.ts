import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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

/** Types of the documents in a folder, as members of an interface. */
interface FolderTypes {
  answers: string[];
  variables: string[];
}

/**
 * Validates the documents of pages, the arguments of `gql`, against a schema, and returns declaration files by their paths:
 * documents.d.ts in each folder that has documents, with the types of their answers and variables; the one of the pages' own
 * folder has those of all; and schema.d.ts with the enums and input objects that they use. A document is one named operation
 * without fragments.
 * @throws Error with file, line and reason.
 */
export function toDocumentTypes(pages: string, schemaFile: string): Map<string, string> {
  const schema = buildSchema(readFileSync(schemaFile, "utf8"));
  const faults: string[] = [];
  const printer = createPrinter(schema);
  const names = new Set<string>();
  const folders = new Map<string, FolderTypes>([[".", { answers: [], variables: [] }]]);
  for (const file of globSync("**/*.{ts,tsx}", { cwd: pages }).toSorted()) {
    const text = readFileSync(join(pages, file), "utf8");
    for (const { index, 2: document = "" } of text.matchAll(/\bgql\(\s*([`"'])([^]*?)\1/g)) {
      try {
        const operation = operationOf(document, schema);
        const name = operation.name?.value ?? "";
        if (name === "" || names.has(name))
          throw new Error(name === "" ? "The operation has no name." : `There is another ${name}.`);
        names.add(name);
        const { answers, variables } = folders.getOrInsert(dirname(file), { answers: [], variables: [] });
        answers.push(`${name}: ${printer.toAnswer(operation)}`);
        variables.push(`${name}: ${printer.toVariables(operation)}`);
      } catch (error) {
        faults.push(`${file}:${text.slice(0, index).split("\n").length}: ${(error as Error).message}`);
      }
    }
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const others = [...folders.keys()].filter((folder) => folder !== ".");
  return new Map([
    ["schema.d.ts", `${origin}${printer.declarations().join("\n")}`],
    ...[...folders].map(
      ([folder, types]) =>
        [join(folder, "documents.d.ts"), toFile(types, folder, folder === "." ? others : [])] as const,
    ),
  ]);
}

const origin = "// Written by `make docs` from the documents of the pages and docs/schema.graphql.\n\n";

/** @param others Folders whose documents belong to it. */
function toFile({ answers, variables }: FolderTypes, folder: string, others: readonly string[]): string {
  const toInterface = (name: string, members: readonly string[]): string => {
    const bases = others.map((other) => `${basename(other)}.${name}`).join(", ");
    return `export interface ${name} ${bases === "" ? "" : `extends ${bases} `}${toObject(members)}`;
  };
  const text = `/** The answers to documents, by the names of their operations. */
${toInterface("Answers", answers)}

/** The variables of documents, by the names of their operations. */
${toInterface("Variables", variables)}
`;
  const imports = others.map(
    (other) => `import type * as ${basename(other)} from "./${other}/documents.d.ts";\n`,
  );
  const up = folder === "." ? "./" : "../".repeat(folder.split("/").length);
  if (text.includes("schema.")) imports.push(`import type * as schema from "${up}schema.d.ts";\n`);
  return `${origin}${imports.join("")}\n${text}`;
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
  toAnswer(operation: OperationDefinitionNode): string;
  toVariables(operation: OperationDefinitionNode): string;
  /** Returns the enums and input objects that these types name as members of `schema`. */
  declarations(): string[];
}

function createPrinter(schema: GraphQLSchema): Printer {
  const declared = new Map<string, string>();
  return {
    declarations: () => [...declared.values()],
    toAnswer: ({ operation, selectionSet }) => toSelection(schema.getRootType(operation), selectionSet),
    toVariables({ variableDefinitions = [] }) {
      const members = variableDefinitions.map(({ variable, type, defaultValue }) =>
        toInputMember(
          variable.name.value,
          typeFromAST(schema, type) as GraphQLInputType,
          defaultValue,
          toMember,
        ),
      );
      return members.length === 0 ? "Record<string, never>" : toObject(members);
    },
  };

  function toSelection(type: unknown, { selections }: SelectionSetNode): string {
    const fields = selections.map((selection) => {
      const field =
        selection.kind === Kind.FIELD && isObjectType(type) && type.getFields()[selection.name.value];
      if (!field) throw new Error("Only fields of one object type can be selected here.");
      const { alias, name, selectionSet } = selection;
      const ofNamed: OfNamed = (named) =>
        selectionSet === undefined ? toMember(named) : toSelection(named, selectionSet);
      return `${(alias ?? name).value}: ${toType(field.type, ofNamed)}`;
    });
    return toObject(fields);
  }

  function toInputMember(
    name: string,
    type: GraphQLInputType,
    defaultValue: unknown,
    ofNamed: OfNamed = toLeaf,
  ): string {
    const isOptional = !isNonNullType(type) || defaultValue !== undefined;
    return isOptional
      ? `${name}?: ${toType(type, ofNamed)} | undefined`
      : `${name}: ${toType(type, ofNamed)}`;
  }

  function toMember(type: GraphQLNamedType): string {
    const leaf = toLeaf(type);
    return declared.has(leaf) ? `schema.${leaf}` : leaf;
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

/** Returns the type of a value that is neither a list nor null. */
type OfNamed = (type: GraphQLNamedType) => string;

function toType(type: GraphQLType, ofNamed: OfNamed): string {
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
