import { createBoundedFindings } from "../bounded-findings.ts";
import { DocumentFault } from "../fault.ts";
import { escapeToken } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import type { Run } from "../json-schema/evaluation.ts";
import { metaSchemaOf } from "../json-schema/dialects.ts";
import { createRun, validateValue } from "../json-schema/validate.ts";
import { hasJsonSchemas, type Version } from "./grammar.ts";
import { follow } from "./references.ts";
import { type ApiFinding, maxFindings, type Place, type Walk } from "./walk.ts";

/** Most examples and defaults checked in one document: each one costs work. */
const maxExamples = 5000;

interface ExampleOptions {
  version: Version;
  /** Severity of examples that do not fit their schema; defaults that do not are errors. */
  examples: ApiFinding["severity"];
  matches: Run["matches"];
}

/** Checks that schemas are valid, and that examples and defaults conform to their schemas. */
export function checkExamples(
  root: Value,
  { places }: Walk,
  { version, examples, matches }: ExampleOptions,
): ApiFinding[] {
  const findings = createBoundedFindings<ApiFinding>(maxFindings);
  const draft = hasJsonSchemas(version) ? "2020-12" : "4";
  const options = { draft, documents: new Map<string, Value>(), matches } as const;
  const run = createRun(hasJsonSchemas(version) ? root : toDraft4(root), { ...options, formats: true });
  const meta = createRun(new Map([["$ref", metaSchemaOf("2020-12")]]), { ...options, formats: false });
  const broken = new Set<string>();
  let left = maxExamples;

  const report = (
    rule: string,
    pointer: string,
    message: string,
    severity: ApiFinding["severity"] = "error",
  ): void => {
    findings.add({ rule, severity, pointer, message });
  };
  const check = ({ schema, value, pointer, isDefault = false }: Example): void => {
    const severity = isDefault ? "error" : examples;
    if (broken.has(schema) || left-- <= 0 || findings.isFull(severity)) return;
    try {
      const reference = `#${schema.split("/").map(encodeURIComponent).join("/")}`;
      for (const found of validateValue(run, new Map([["$ref", reference]]), value).slice(0, 10))
        report(
          "example-schema",
          pointer + found.pointer,
          `Does not fit its schema: ${found.message}`,
          severity,
        );
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      broken.add(schema);
      // References to other documents are already reported.
      if (!error.message.includes("nothing is fetched"))
        report("schema", schema, `The schema cannot be applied to its examples: ${error.message}`, "warning");
    }
  };

  for (const place of places) {
    if (findings.isFull("error")) break;
    if (place.kind === "Schema" && hasJsonSchemas(version)) {
      const wrong = validateValue(meta, meta.registry.root.root, place.value).slice(0, 10);
      for (const { pointer, message } of wrong)
        report("schema", place.pointer + pointer, `Is not a JSON Schema: ${message}`);
      if (wrong.length > 0) broken.add(place.pointer);
    }
    for (const example of examplesOf(root, place, version)) check(example);
  }
  return findings.list();
}

interface Example {
  /** Pointers to the schema and to the example. */
  schema: string;
  value: Value;
  pointer: string;
  isDefault?: boolean;
}

function* examplesOf(root: Value, { kind, value, pointer }: Place, version: Version): Generator<Example> {
  const at = (name: string, schema: string): Example[] =>
    value.has(name)
      ? [
          {
            schema,
            value: value.get(name) as Value,
            pointer: `${pointer}/${name}`,
            isDefault: name === "default",
          },
        ]
      : [];
  if (kind === "Schema") {
    yield* at("default", pointer);
    if (!hasJsonSchemas(version)) return void (yield* at("example", pointer));
    const list = value.get("examples");
    if (!isList(list ?? null)) return;
    for (const [index, one] of (list as Value[]).entries())
      yield { schema: pointer, value: one, pointer: `${pointer}/examples/${index}` };
    return;
  }
  if (version === "2.0" && kind === "Response") {
    const examples = value.get("examples");
    if (!value.has("schema") || !isDictionary(examples ?? null)) return;
    for (const [type, one] of examples as Dictionary) {
      // Other media types have examples in their own syntax.
      if (/[/+]json\b/.test(type))
        yield {
          schema: `${pointer}/schema`,
          value: one,
          pointer: `${pointer}/examples/${escapeToken(type)}`,
        };
    }
    return;
  }
  if (version === "2.0" && (kind === "Parameter" || kind === "Items" || kind === "Header")) {
    if (value.has("type") && value.get("type") !== "file") yield* at("default", pointer);
    return;
  }
  if (!["MediaType", "Parameter", "Header"].includes(kind) || !value.has("schema")) return;
  yield* at("example", `${pointer}/schema`);
  const examples = value.get("examples");
  if (!isDictionary(examples ?? null)) return;
  for (const [name, entry] of examples as Dictionary) {
    const example = follow(root, entry);
    const field = version === "3.2" && example?.has("dataValue") ? "dataValue" : "value";
    const shown = example?.get(field);
    if (shown === undefined) continue;
    const own = entry === example ? `/${field}` : "";
    yield {
      schema: `${pointer}/schema`,
      value: shown,
      pointer: `${pointer}/examples/${escapeToken(name)}${own}`,
    };
  }
}

/**
 * Returns the document with schemas as JSON Schema understands them: `nullable` becomes a type, and
 * `readOnly` or `writeOnly` properties are not required, because an example does not say whether it is a
 * request or a response.
 */
function toDraft4(value: Value): Value {
  if (isList(value)) return value.map(toDraft4);
  if (!isDictionary(value)) return value;
  const result: Dictionary = new Map(Array.from(value, ([key, member]) => [key, toDraft4(member)]));
  const type = result.get("type");
  if ((value.get("nullable") === true || value.get("x-nullable") === true) && typeof type === "string") {
    result.set("type", [type, "null"]);
    const values = result.get("enum");
    if (isList(values ?? null)) result.set("enum", [...(values as Value[]), null]);
  }
  const properties = result.get("properties");
  const required = result.get("required");
  if (isDictionary(properties ?? null) && isList(required ?? null)) {
    const both = (required as Value[]).filter(
      (name) => !isOneWay((properties as Dictionary).get(String(name))),
    );
    result.set("required", both);
  }
  if (type === "file") result.delete("type");
  return result;
}

const isOneWay = (schema: Value | undefined): boolean =>
  isDictionary(schema ?? null) &&
  ((schema as Dictionary).get("readOnly") === true || (schema as Dictionary).get("writeOnly") === true);
