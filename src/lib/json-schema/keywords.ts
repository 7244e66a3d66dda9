import { isDictionary, isList, type Value } from "../data/value.ts";
import { arrayKeywords } from "./array-keywords.ts";
import {
  type Application,
  reportViolation,
  evaluateHere,
  evaluateReference,
  type Keyword,
} from "./evaluation.ts";
import { objectKeywords } from "./object-keywords.ts";
import { scalarKeywords } from "./scalar-keywords.ts";
import { enumOf, typeNameOf } from "./values.ts";

/** References and logic: keywords that apply other schemas to the same value. */
const logic: Record<string, Keyword> = {
  $ref: (application, reference) => evaluateReference(application, reference as string, "static"),
  $dynamicRef: (application, reference) => evaluateReference(application, reference as string, "dynamic"),
  $recursiveRef: (application, reference) => evaluateReference(application, reference as string, "recursive"),
  allOf: (application, schemas) => every(application, schemas as Value[]),
  anyOf(application, schemas) {
    let valid = false;
    for (const schema of schemas as Value[]) {
      if (evaluateHere(application, schema, { quiet: true })) valid = true;
      // Without `unevaluated` keywords the first match decides; otherwise every match counts.
      if (valid && application.seen === undefined) return true;
    }
    return valid || reportViolation(application, "any-of", explain(application, schemas as Value[], "any"));
  },
  oneOf(application, schemas) {
    const { seen } = application;
    let passed = 0;
    for (const schema of schemas as Value[]) {
      if (evaluateHere({ ...application, seen: undefined }, schema, { quiet: true })) passed++;
      if (passed > 1)
        return reportViolation(application, "one-of", "Matches more than one of the schemas in oneOf");
    }
    if (passed === 0)
      return reportViolation(application, "one-of", explain(application, schemas as Value[], "one"));
    // Applies the only matching schema again, to record what it evaluated.
    return (
      seen === undefined ||
      (schemas as Value[]).some((schema) => evaluateHere(application, schema, { quiet: true }))
    );
  },
  not(application, schema) {
    const inner = { ...application, seen: undefined };
    return (
      !evaluateHere(inner, schema, { quiet: true }) ||
      reportViolation(application, "not", "Matches the schema in not")
    );
  },
  if(application, schema) {
    const passes = evaluateHere(application, schema, { quiet: true });
    const branch = application.schema.get(passes ? "then" : "else");
    return branch === undefined || evaluateHere(application, branch);
  },
};

/** Applies all of them, so that each can report its violations. */
function every(application: Application, schemas: readonly Value[]): boolean {
  let valid = true;
  for (const schema of schemas) {
    if (evaluateHere(application, schema)) continue;
    valid = false;
    if (application.sink === undefined) return false;
  }
  return valid;
}

/** Says why no alternative fits: the first violation of each of the first few. */
function explain(application: Application, schemas: readonly Value[], which: "any" | "one"): string {
  const head = `Matches none of the ${schemas.length} schemas in ${which}Of`;
  // Nested alternatives would be tried once more at every level.
  if (application.sink === undefined || application.depth > 20) return head;
  const reasons = schemas.slice(0, 4).flatMap((schema, index) => {
    const sink: Application["sink"] = [];
    evaluateHere({ ...application, sink, seen: undefined, depth: application.depth + 20 }, schema);
    const first = sink[0];
    return first === undefined ? [] : [`${index + 1}) ${first.message.slice(0, 160)}`];
  });
  return `${head}: ${reasons.join("; ")}`;
}

const anything: Record<string, Keyword> = {
  type(application, wanted) {
    const { value } = application.instance;
    const { draft } = application.scope.resource.dialect;
    const names = isList(wanted) ? wanted : [wanted];
    const found = typeNameOf(value, draft);
    if (names.some((name) => name === found || (name === "number" && found === "integer"))) return true;
    return reportViolation(application, "type", `Must be ${names.join(" or ")}, not ${found}`);
  },
  enum(application, values) {
    const { run, instance } = application;
    if (enumOf(run, values as Value[]).has(run.numberOf(instance.value))) return true;
    return reportViolation(
      application,
      "enum",
      `Must be one of ${(values as Value[]).length} values: ${preview(values)}`,
    );
  },
  const(application, value) {
    const { run, instance } = application;
    if (run.numberOf(value) === run.numberOf(instance.value)) return true;
    return reportViolation(application, "const", `Must be ${preview(value)}`);
  },
};

/** Returns the beginning of a value of the schema, as JSON. */
function preview(value: Value): string {
  const parts = (isList(value) ? value.slice(0, 10) : [value]).map((part) => {
    if (isList(part)) return "[…]";
    if (isDictionary(part)) return "{…}";
    if (typeof part === "object" && part !== null) return part.text.slice(0, 40);
    return JSON.stringify(typeof part === "string" && part.length > 40 ? `${part.slice(0, 40)}…` : part);
  });
  return `${parts.join(", ")}${isList(value) && value.length > 10 ? ", …" : ""}`;
}

/** Every keyword of every draft that constrains a value. */
export const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ ...logic, ...anything, ...scalarKeywords, ...arrayKeywords, ...objectKeywords }),
);
