import type { Library } from "./library.ts";
import { lazy } from "../lazy.ts";
import { joinWords } from "../join-words.ts";
import { nearest } from "../nearest.ts";
import { explainExpression } from "./explain-expression.ts";
import type { ReportAt } from "./finding.ts";
import { type Node, quote } from "./node.ts";
import { createObjectReader, nodeOf } from "./object-reader.ts";

type Context = InstanceType<Library["TemplateContext"]>;
type Schema = Context["schema"];
type Definitions = Parameters<Schema["matchPropertyAndFilter"]>[0];

/** A program of its own in the executable, read when a workflow is first checked. */
export const loadLibrary = lazy(async () => (await import("./library.ts")).library);

/** The last question to the schema, from which a message takes the expected values. */
interface Asked {
  keys: readonly string[];
  /** The name of a type. */
  type: string;
}

/** Validates the structure of a workflow or action by GitHub's own schema: keys, types and values, and the syntax of expressions. */
export function checkStructure(
  library: Library,
  kind: "workflow" | "action",
  root: Node,
  report: ReportAt,
): void {
  const original = kind === "workflow" ? library.getWorkflowSchema() : library.getActionSchema();
  const asked: Asked = { keys: [], type: "" };
  const schema = listenTo(original, asked);
  const errors = new library.TemplateValidationErrors(1);
  const context = new library.TemplateContext(errors, schema, new library.NoOperationTraceWriter());
  context.error = ((token: Parameters<typeof nodeOf>[0] | number, error: unknown) => {
    const node = (typeof token === "number" ? undefined : nodeOf(token)) ?? root;
    // A value that is neither a text nor an error shows a fault of the library.
    if (typeof error !== "string" && !(error instanceof Error)) throw error;
    const found = explain(library, node, error, asked, schema);
    if (found !== undefined)
      report(found.rule, node, found.message, { ...found.more, severity: found.severity ?? "error" });
  }) as Context["error"];
  library.readTemplate(context, `${kind}-root-strict`, createObjectReader(library, root), undefined);
}

/** Returns a schema that remembers what it was asked. */
function listenTo(original: Schema, asked: Asked): Schema {
  const schema = Object.create(original) as Schema;
  schema.matchPropertyAndFilter = (definitions: Definitions, name: string) => {
    asked.keys = definitions.flatMap(({ properties }) => Object.keys(properties));
    // The tables of the library are objects, which have `constructor` and the like.
    return name in Object.prototype ? undefined : original.matchPropertyAndFilter(definitions, name);
  };
  // They look types up, too.
  schema.getScalarDefinitions = (definition) => original.getScalarDefinitions(definition);
  schema.getDefinitionsOfType = (definition, type) => original.getDefinitionsOfType(definition, type);
  schema.getDefinition = (name: string) => {
    asked.type = name;
    return original.getDefinition(name);
  };
  return schema;
}

interface Explained {
  rule: string;
  message: string;
  severity?: "error" | "warning";
  more?: { character?: number };
}

/** Returns what an error of the library means; undefined for one that is wrong. */
function explain(
  library: Library,
  node: Node,
  error: Error | string,
  asked: Asked,
  schema: Schema,
): Explained | undefined {
  if (typeof error !== "string" && node.kind === "scalar")
    return { rule: "expression", ...explainExpression(library, node, error) };
  const text = typeof error === "string" ? error : error.message;
  if (text === "A sequence was not expected") return { rule: "type", message: "A list is not allowed here." };
  if (text === "A mapping was not expected")
    return { rule: "type", message: "A map of keys is not allowed here." };
  const missing = /^Required property is missing: (.+)$/.exec(text)?.[1];
  if (missing !== undefined) return { rule: "missing-key", message: `The key ${missing} is missing.` };
  const several = /Add one of these properties: (.+)$/.exec(text)?.[1];
  if (several !== undefined)
    return { rule: "missing-key", message: `One of the keys ${joinWords(several.split(", "))} is missing.` };
  if (text.endsWith(" is already defined")) {
    const name = node.kind === "scalar" ? node.text : "";
    return {
      rule: "duplicate-key",
      message: `The key ${quote(name)} is a second one of this name; upper and lower case are the same here.`,
    };
  }
  if (text === "A template expression is not allowed in this context")
    return { rule: "expression", message: "An expression is not allowed here." };
  if (text.startsWith("The expression is not closed"))
    return { rule: "expression", message: "This expression begins with ${{ and lacks its }}." };
  if (text.startsWith("The directive 'insert'"))
    return { rule: "expression", message: "insert must be the whole value: ${{ insert }}." };
  if (text.startsWith("Unexpected value '")) return explainValue(node, asked, schema);
  throw new Error(`GitHub's parser reports an error of a kind that is not known here: ${text.slice(0, 200)}`);
}

function explainValue(node: Node, asked: Asked, schema: Schema): Explained | undefined {
  const text = node.kind === "scalar" ? node.text : "";
  if (isKey(node)) {
    const near = nearest(text, asked.keys);
    const advice =
      near === undefined
        ? ` Known keys: ${[...new Set(asked.keys)].toSorted().join(", ")}.`
        : ` Did you mean ${near}?`;
    if (text === "<<")
      return {
        rule: "unknown-key",
        message: "GitHub does not support merge keys (<<); write an alias without them.",
      };
    return { rule: "unknown-key", message: `${quote(text)} is not a key that is known here.${advice}` };
  }
  // The schema of the library has a mistake in the name of this event.
  if (text === "repository_dispatch") return undefined;
  const expected = expectedOf(schema, asked.type);
  if (node.kind === "scalar" && node.value === null)
    return {
      rule: "empty",
      message: `A value is missing here${expected === "" ? "" : `; expected ${expected}`}.`,
    };
  if (text === "") return { rule: "empty", message: "This text must not be empty." };
  const near = nearest(text, constantsOf(schema, asked.type));
  const advice = near === undefined ? "" : ` Did you mean ${near}?`;
  return {
    rule: "value",
    message: `${quote(text)} is not allowed here${expected === "" ? "" : `; expected ${expected}`}.${advice}`,
  };
}

/** A key has the place of its name in the pointer, and is no value of a list. */
const isKey = (node: Node): boolean => keys.has(node);

const keys = new WeakSet<Node>();

/** Marks the keys of a document, so that an error of one is not taken for an error of its value. */
export function markKeys(root: Node): void {
  const open: Node[] = [root];
  const seen = new Set<Node>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.kind === "list") open.push(...node.items);
    if (node.kind !== "map") continue;
    for (const { key, value } of node.entries) {
      keys.add(key);
      open.push(value);
    }
  }
}

/** Most values that a message lists. */
const maxListed = 12;

function expectedOf(schema: Schema, type: string): string {
  const constants = constantsOf(schema, type);
  const kinds = scalarsOf(schema, type).flatMap(({ key, constant }) =>
    constant !== undefined && constant !== ""
      ? []
      : key === "boolean" || key.startsWith("boolean-")
        ? ["true or false"]
        : /^number|-minutes$/.test(key)
          ? ["a number"]
          : [],
  );
  if (constants.length > maxListed)
    return `${constants.slice(0, maxListed).join(", ")} or another of ${constants.length}`;
  return joinWords([...new Set([...constants, ...kinds])]);
}

interface ScalarType {
  key: string;
  constant?: string;
}

function scalarsOf(schema: Schema, type: string): ScalarType[] {
  if (type === "") return [];
  return schema.getScalarDefinitions(
    Object.getPrototypeOf(schema).getDefinition(type),
  ) as unknown as ScalarType[];
}

const constantsOf = (schema: Schema, type: string): string[] =>
  scalarsOf(schema, type).flatMap(({ constant }) =>
    constant === undefined || constant === "" ? [] : [constant],
  );
