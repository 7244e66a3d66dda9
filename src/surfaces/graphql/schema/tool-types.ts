import type { CatalogTool } from "../../../catalog/catalog.ts";
import { type Field, fieldsOf, inputSchemaOf } from "../../../catalog/fields.ts";
import { takeName, toEnumName, toFieldName, toName, toTypeName } from "./names.ts";
import type { Part, Resolver } from "./part.ts";
import { runTool } from "./tool-run.ts";

/** By slug, the field of ToolRunner. Those of a pipeline come after the tools, whose names do not depend on it. */
export function nameFields(tools: readonly CatalogTool[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(tools.map(({ slug }) => [slug, takeName(taken, toFieldName(slug), toName(slug))]));
}

/**
 * The types of the tools: of each a field of ToolRunner, and an input type with the fields of its schema.
 * @param fields As `nameFields` gives them.
 * @param reserved The names of types that other parts have: a pipeline may have any name.
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

/** What comes of the tools beside ToolRunner; `types` are the names that are taken. */
interface Made {
  types: Set<string>;
  typeDefs: string[];
  enums: Record<string, readonly string[]>;
}

const runs =
  "Runs tools, as many as there are fields below it, and each counts as a request. A field is null where its run was refused; the others are not affected.";

interface RunArgs {
  input?: Readonly<Record<string, unknown>> | null;
  check?: boolean;
}

const checks = {
  report: "The result of this tool is a report in either case.",
  change: "Answer with a report: would the tool change anything?",
};

const describe = ({ summary, deterministic }: CatalogTool): string =>
  deterministic ? summary : `${summary} Its result depends on time or chance.`;

interface InputField {
  /** The field of the tool, and its name here. */
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

/** Int has 32 bits; what is bounded by more, or not at all, is a Long. */
function scalarOf({ input }: CatalogTool, { name, type, list }: Field): string {
  if (type !== "integer") return { string: "String", boolean: "Boolean", number: "Float" }[type];
  const { properties = {} } = inputSchemaOf(input) as { properties?: Record<string, Bounds> };
  const { minimum = -Infinity, maximum = Infinity } =
    (list ? properties[name]?.items : properties[name]) ?? {};
  return minimum >= -(2 ** 31) && maximum < 2 ** 31 ? "Int" : "Long";
}

/** What the value is called elsewhere is said where it cannot be guessed. */
function toEnumValue(value: string): string {
  const name = toEnumName(value);
  return name === value.toUpperCase() ? name : `${text(value)} ${name}`;
}

function toLiteral(value: unknown, isEnum: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, isEnum)).join(", ")}]`;
  // The escapes of JSON are those of a string of GraphQL.
  return isEnum ? toEnumName(String(value)) : JSON.stringify(value);
}

const text = (description: string): string => JSON.stringify(description);

/** Null stands for what a field is without a value: clients send it for a variable that nobody has set. */
function toInput(fields: readonly InputField[], input: RunArgs["input"]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, field } of fields) {
    const value = input?.[name];
    if (value !== undefined && value !== null) values[field] = value;
  }
  return values;
}
