import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { openSchema, type SchemaFinding, toJsonValues } from "../json-schema/validate.ts";
import { nearest } from "../nearest.ts";
import { type At, child, items, members, quote, type ReportAt, type Severity, textOf } from "./at.ts";

/** A version of a custom resource. */
export interface CustomKind {
  namespaced: boolean;
  deprecated: boolean;
  /** The warning of the definition, if it has one. */
  warning: string | undefined;
  /** Undefined if the definition has none. */
  schema: Value | undefined;
}

/** Reads the served versions of a CustomResourceDefinition, by `group/version Kind`. */
export function readDefinition(definition: Value): [string, CustomKind][] {
  const spec = child({ value: definition, pointer: "" }, "spec");
  const group = textOf(child(spec, "group"));
  const kind = textOf(child(spec, "names", "kind"));
  if (group === undefined || kind === undefined) return [];
  const namespaced = textOf(child(spec, "scope")) !== "Cluster";
  return items(child(spec, "versions")).flatMap((version): [string, CustomKind][] => {
    if (child(version, "served").value === false) return [];
    const schema =
      child(version, "schema", "openAPIV3Schema").value ?? child(spec, "validation", "openAPIV3Schema").value;
    return [
      [
        `${group}/${textOf(child(version, "name")) ?? ""} ${kind}`,
        {
          namespaced,
          deprecated: child(version, "deprecated").value === true,
          warning: textOf(child(version, "deprecationWarning")),
          schema: schema ?? undefined,
        },
      ],
    ];
  });
}

interface Reporting {
  /** Severity of fields that the schema lacks. */
  unknown: Severity;
  /** Whether no further finding of a severity would be reported. */
  isFull(severity: Severity): boolean;
}

const compiled = new WeakMap<CustomKind, Promise<(document: Value) => SchemaFinding[]>>();

/** Validates a custom resource by the schema of its definition. */
export async function checkCustom(
  root: At,
  kind: CustomKind,
  report: ReportAt,
  reporting: Reporting,
): Promise<void> {
  if (kind.schema === undefined || !isDictionary(root.value ?? null)) return;
  let validate = compiled.get(kind);
  if (validate === undefined) compiled.set(kind, (validate = compile(kind.schema)));
  try {
    const document = toJsonValues(root.value as Value);
    for (const { rule, message, pointer } of (await validate)(document))
      report(
        rule === "required" ? rule : "schema",
        { value: undefined, pointer: root.pointer + pointer },
        message,
      );
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    report(
      "schema",
      root,
      `The schema of its CustomResourceDefinition cannot be used: ${error.message}`,
      "warning",
    );
  }
  checkKnown(kind.schema, root, report, reporting);
}

async function compile(schema: Value): Promise<(document: Value) => SchemaFinding[]> {
  const options = { draft: "4", formats: true, documents: new Map<string, Value>() } as const;
  const { validate } = await openSchema(toDraft4(schema), options);
  return validate;
}

/** Returns a structural schema as JSON Schema understands it: `nullable` and `x-kubernetes-int-or-string` become types. Recursive: parsers limit documents. */
function toDraft4(value: Value): Value {
  if (isList(value)) return value.map(toDraft4);
  if (!isDictionary(value)) return value;
  const result: Dictionary = new Map(Array.from(value, ([key, member]) => [key, toDraft4(member)]));
  if (value.get("x-kubernetes-int-or-string") === true) {
    result.delete("type");
    result.set("type", ["integer", "string"]);
    result.delete("format");
  }
  const type = result.get("type");
  if (value.get("nullable") === true && type !== undefined)
    result.set("type", [...(isList(type) ? type : [type]), "null"]);
  return result;
}

/** Fields that every object has without its schema. */
const own = new Set(["apiVersion", "kind", "metadata"]);

/** Reports members that the schema lacks, which the API server would drop. Recursive: parsers limit documents to 512 levels. */
function checkKnown(schema: Value, root: At, report: ReportAt, { unknown, isFull }: Reporting): void {
  visit({ value: schema, pointer: "" }, root, true);

  function visit(part: At, at: At, isObject: boolean): void {
    if (!isDictionary(part.value ?? null) || isFull(unknown)) return;
    for (const item of items(at)) visit(child(part, "items"), item, false);
    const properties = child(part, "properties");
    const more = child(part, "additionalProperties");
    const isOpen = child(part, "x-kubernetes-preserve-unknown-fields").value === true || more.value === true;
    const hasOwn = isObject || child(part, "x-kubernetes-embedded-resource").value === true;
    for (const [key, member] of members(at)) {
      if (isFull(unknown)) return;
      const known = child(properties, key);
      if (hasOwn && own.has(key)) continue;
      if (known.value !== undefined) visit(known, member, false);
      else if (isDictionary(more.value ?? null)) visit(more, member, false);
      else if (!isOpen && textOf(child(part, "type")) === "object") reportUnknown(key, member, properties);
    }
  }

  function reportUnknown(key: string, at: At, properties: At): void {
    const near = nearest(
      key,
      members(properties).map(([name]) => name),
    );
    const advice = near === undefined ? "" : ` Did you mean ${near}?`;
    report(
      "unknown-field",
      at,
      `${quote(key)} is not a field that the CustomResourceDefinition has here.${advice}`,
      unknown,
    );
  }
}
