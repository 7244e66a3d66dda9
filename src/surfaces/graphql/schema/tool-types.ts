import type { CatalogTool } from "../../../catalog/catalog.ts";
import { type Field, fieldsOf, inputSchemaOf } from "../../../catalog/fields.ts";
import { takeName, toEnumName, toFieldName, toName, toTypeName } from "./names.ts";
import type { Part, Resolver } from "./part.ts";
import { runTool } from "./tool-run.ts";

/** Assigns each slug its field of ToolRunner. Pipelines come after the tools, so that tools keep their names. */
export function nameFields(tools: readonly CatalogTool[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(tools.map(({ slug }) => [slug, takeName(taken, toFieldName(slug), toName(slug))]));
}

/**
 * Types of the tools: a field of ToolRunner and an input type for each.
 * @param fields Field names from `nameFields`.
 * @param reserved Names of types of other parts, which a pipeline's types must avoid.
 */
export function createToolTypes(
  tools: readonly CatalogTool[],
  fields: ReadonlyMap<string, string>,
  reserved: Iterable<string>,
): Part {
  const made: Made = { types: new Set(["ToolRunner", ...reserved]), typeDefs: [], enums: {} };
  const lines: string[] = [];
  const runner: Record<string, Resolver> = {};
  for (const tool of tools) {
    const name = fields.get(tool.slug) as string;
    const inputs = fieldsOf(tool.input).map((field) => toInputField(tool, field, made));
    const args: string[] = [];
    if (inputs.length > 0) {
      const type = takeName(made.types, `${toTypeName(name)}Input`, `${toTypeName(name)}ToolInput`);
      const members = inputs.map(({ line }) => line).join(" ");
      made.typeDefs.push(`${text(`The fields of ${tool.slug}.`)} input ${type} { ${members} }`);
      args.push(`input: ${type}${inputs.some(({ required }) => required) ? "!" : ""}`);
    }
    if (tool.check !== undefined) args.push(`${text(checks[tool.check])} check: Boolean! = false`);
    lines.push(`${text(describe(tool))} ${name}${args.length > 0 ? `(${args.join(" ")})` : ""}: ToolRun`);
    runner[name] = (_, { input, check = false }: RunArgs, context) =>
      runTool(context, tool, { kind: "input", input: toInput(inputs, input) }, check);
  }
  if (lines.length === 0) return { typeDefs: "", resolvers: {} };
  return {
    typeDefs: [
      ...made.typeDefs,
      `"Each tool as a field." type ToolRunner { ${lines.join(" ")} }`,
      `extend type Query { ${text(runs)} run: ToolRunner! }`,
    ].join("\n"),
    enums: made.enums,
    resolvers: { Query: { run: () => ({}) }, ToolRunner: runner },
  };
}

/** The generated definitions beside ToolRunner; `types` are the names in use. */
interface Made {
  types: Set<string>;
  typeDefs: string[];
  enums: Record<string, readonly string[]>;
}

const runs =
  "Runs one tool for each field below it; each counts as a request. A field is null if its run was refused; other fields are not affected.";

interface RunArgs {
  input?: Readonly<Record<string, unknown>> | null;
  check?: boolean;
}

const checks = {
  report: "The result of this tool is always a report.",
  change: "Return a report on whether the tool would change the document.",
  difference: "Return a report on where the documents differ.",
  strict: "Return a report on whether the tool accepts the document with its option strict.",
  warnings:
    "Return a report on whether the tool accepts the document, with warnings of what others read otherwise.",
};

const describe = ({ summary, deterministic }: CatalogTool): string =>
  deterministic ? summary : `${summary} Its result depends on time or randomness.`;

interface InputField {
  /** A field of the tool's input, and its GraphQL name. */
  field: string;
  name: string;
  required: boolean;
  line: string;
}

function toInputField(tool: CatalogTool, field: Field, made: Made): InputField {
  const { required, list, values, description } = field;
  const name = toName(field.name);
  let type = scalarOf(tool, field);
  if (values !== undefined) {
    const own = `${toTypeName(tool.slug)}${toTypeName(field.name)}`;
    type = takeName(made.types, own, `${own}Value`);
    made.enums[type] = values;
    const members = values.map(toEnumValue).join(" ");
    made.typeDefs.push(`${text(`${field.name} of ${tool.slug}.`)} enum ${type} { ${members} }`);
  }
  const whole = `${list ? `[${type}!]` : type}${required ? "!" : ""}`;
  const byDefault = field.default === undefined ? "" : ` = ${toLiteral(field.default, values !== undefined)}`;
  return { field: field.name, name, required, line: `${text(description)} ${name}: ${whole}${byDefault}` };
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  items?: Bounds;
}

/** Int has 32 bits; a field with larger or no bounds is a Long. */
function scalarOf({ input }: CatalogTool, { name, type, list }: Field): string {
  if (type !== "integer") return { string: "String", boolean: "Boolean", number: "Float" }[type];
  const { properties = {} } = inputSchemaOf(input) as { properties?: Record<string, Bounds> };
  const { minimum = -Infinity, maximum = Infinity } =
    (list ? properties[name]?.items : properties[name]) ?? {};
  return minimum >= -(2 ** 31) && maximum < 2 ** 31 ? "Int" : "Long";
}

/** Describes the original value if it cannot be guessed from the enum name. */
function toEnumValue(value: string): string {
  const name = toEnumName(value);
  return name === value.toUpperCase() ? name : `${text(value)} ${name}`;
}

function toLiteral(value: unknown, isEnum: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, isEnum)).join(", ")}]`;
  // JSON escapes are valid in GraphQL strings.
  return isEnum ? toEnumName(String(value)) : JSON.stringify(value);
}

const text = (description: string): string => JSON.stringify(description);

/** Drops null fields: clients send null for a variable that is not set. */
function toInput(fields: readonly InputField[], input: RunArgs["input"]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, field } of fields) {
    const value = input?.[name];
    if (value !== undefined && value !== null) values[field] = value;
  }
  return values;
}
