import { escapeToken } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { isWhole, toDecimal } from "../number/decimal.ts";
import { type Grammar, hasJsonSchemas, type Kind, type Spec, toShape, type Version } from "./grammar.ts";

/** One violation in a description. */
export interface ApiFinding {
  message: string;
  rule: string;
  severity: "error" | "warning";
  /** RFC 6901, into the document. */
  pointer: string;
}

/** An object of a kind, and its place. */
export interface Place {
  kind: string;
  value: Dictionary;
  pointer: string;
}

/** A `$ref` in the place of an object. */
export interface Reference {
  kind: string;
  target: string;
  pointer: string;
}

export interface Walk {
  findings: ApiFinding[];
  /** Every object visited, in document order. */
  places: Place[];
  references: Reference[];
}

/** Most findings reported. */
export const maxFindings = 100;

/**
 * Follows the grammar through a document and reports violations. Recursive: parsers limit documents to 512
 * levels.
 */
export function walkDocument(grammar: Grammar, version: Version, document: Value): Walk {
  const walk: Walk = { findings: [], places: [], references: [] };
  const report = (rule: string, pointer: string, message: string): void => {
    walk.findings.push({ rule, pointer, message, severity: "error" });
  };

  function visit(spec: Spec, value: Value, pointer: string, name: string): void {
    if (walk.findings.length >= maxFindings) return;
    const { list, map, values, name: type = "any" } = toShape(spec);
    if (list !== undefined) {
      if (!isList(value)) return report("type", pointer, `${name} must be a list.`);
      for (const [index, item] of value.entries())
        visit(list, item, `${pointer}/${index}`, `${name} ${index + 1}`);
    } else if (map !== undefined) {
      if (!isDictionary(value)) return report("type", pointer, `${name} must be an object.`);
      for (const [key, member] of value) visit(map, member, `${pointer}/${escapeToken(key)}`, quote(key));
    } else if (values !== undefined) {
      // In YAML a version without quotes is a number.
      const text = typeof value === "string" ? value : undefined;
      if (text === undefined || !values.includes(text))
        report("enum", pointer, `${name} must be ${values.map((one) => JSON.stringify(one)).join(" or ")}.`);
    } else if (/^[a-z]/.test(type)) {
      if (!isOfType(type, value)) report("type", pointer, `${name} must be ${article(type)}.`);
    } else if (type === "SchemaOrBoolean") {
      if (typeof value !== "boolean") visit("Schema", value, pointer, name);
    } else visitObject(type, value, pointer, name);
  }

  function visitObject(kindName: string, value: Value, pointer: string, name: string): void {
    if (kindName === "Schema" && hasJsonSchemas(version) && typeof value === "boolean") return;
    if (!isDictionary(value)) return report("type", pointer, `${name} must be an object.`);
    const kind = grammar[kindName] as Kind;
    const target = value.get("$ref");
    if (typeof target === "string" && (kind.ref === true || kindName === "PathItem"))
      walk.references.push({ kind: kindName, target, pointer: `${pointer}/$ref` });
    if (target !== undefined && kind.ref === true) {
      if (typeof target !== "string") report("type", `${pointer}/$ref`, "$ref must be a string.");
      return;
    }
    walk.places.push({ kind: kindName, value, pointer });
    // The meta-schema of JSON Schema validates those.
    if (kindName === "Schema" && hasJsonSchemas(version)) return;
    for (const [key, member] of value) {
      const spec = Object.hasOwn(kind.fields, key)
        ? kind.fields[key]
        : kind.patterns?.find((pattern) => pattern.name.test(key))?.spec;
      const here = `${pointer}/${escapeToken(key)}`;
      if (spec !== undefined) visit(spec, member, here, Object.hasOwn(kind.fields, key) ? key : quote(key));
      else if (!key.startsWith("x-") || kind.closed === true)
        report(
          "unknown-field",
          here,
          `${quote(key)} is not a field of ${describe(kindName)}${hint(kindName)}.`,
        );
    }
    for (const [key, spec] of Object.entries(kind.fields)) {
      if (toShape(spec).required && !value.has(key))
        report("required", pointer, `${capitalize(describe(kindName))} must have ${key}.`);
    }
  }

  visit("Document", document, "", "The document");
  return walk;
}

function isOfType(type: string, value: Value): boolean {
  if (type === "any") return true;
  if (type === "number") return isLiteral(value) && value.kind === "number";
  if (type === "integer")
    return isLiteral(value) && value.kind === "number" && isWhole(toDecimal(value.text));
  return typeof value === type;
}

const article = (type: string): string => (type === "integer" ? "an integer" : `a ${type}`);

/** Returns the name in the specification, such as "a Path Item Object". */
function describe(kind: string): string {
  if (kind === "Document") return "the document";
  const words = kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return `${/^[AEIOU]/.test(words) ? "an" : "a"} ${words} Object`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const hints: Record<string, string> = {
  Paths: "; paths begin with /",
  Responses: "; responses are named by a status code or default",
  Schema: "; extensions begin with x-",
};

const hint = (kind: string): string => hints[kind] ?? "";

export const quote = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
