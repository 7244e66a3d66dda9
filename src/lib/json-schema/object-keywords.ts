import { type Dictionary, isDictionary, isList, type Literal, type Value } from "../data/value.ts";
import {
  type Application,
  reportViolation,
  evaluate,
  evaluateChild,
  evaluateHere,
  type Keyword,
} from "./evaluation.ts";
import { toCount } from "./values.ts";

/** Keywords for objects; values of other types pass. */
export const objectKeywords: Record<string, Keyword> = {
  properties(application, schemas) {
    return each(application, (name, value) => {
      const schema = (schemas as Dictionary).get(name);
      return schema === undefined ? undefined : property(application, schema, name, value, "properties");
    });
  },
  patternProperties(application, schemas) {
    return each(application, (name, value) => {
      let valid: boolean | undefined;
      for (const [pattern, schema] of schemas as Dictionary) {
        if (!application.run.matches(pattern, name)) continue;
        valid = property(application, schema, name, value, "pattern-properties") && valid !== false;
      }
      return valid;
    });
  },
  additionalProperties(application, schema) {
    const { keywords } = application.scope.resource.dialect;
    const named = application.schema.get("properties");
    const patterns = application.schema.get("patternProperties");
    return each(application, (name, value) => {
      if (isDictionary(named ?? null) && keywords.has("properties") && (named as Dictionary).has(name))
        return undefined;
      if (isDictionary(patterns ?? null)) {
        for (const pattern of (patterns as Dictionary).keys())
          if (application.run.matches(pattern, name)) return undefined;
      }
      return property(application, schema, name, value, "additional-properties");
    });
  },
  unevaluatedProperties(application, schema) {
    const { seen } = application;
    if (seen === undefined) return true;
    const before = new Set(seen.properties);
    return each(application, (name, value) =>
      before.has(name) ? undefined : property(application, schema, name, value, "unevaluated-properties"),
    );
  },
  propertyNames(application, schema) {
    const { instance, sink } = application;
    if (!isDictionary(instance.value)) return true;
    let valid = true;
    for (const [name, value] of instance.value) {
      // The schema applies to the name; the reported place is the member.
      const inner = { value: name, key: name, parent: instance };
      const own: Application["sink"] = sink && [];
      if (evaluate({ ...application, instance: inner, sink: own, seen: undefined, depth: 0 }, schema))
        continue;
      valid = false;
      if (sink === undefined) return false;
      const place = { value, key: name, parent: instance };
      reportViolation(
        application,
        "property-names",
        `The name ${quote(name)} is not allowed: ${own?.[0]?.message ?? ""}`,
        place,
      );
    }
    return valid;
  },
  required(application, names) {
    const { value } = application.instance;
    if (!isDictionary(value) || !isList(names)) return true;
    let valid = true;
    for (const name of names as string[]) {
      if (value.has(name)) continue;
      valid = reportViolation(application, "required", `The property ${quote(name)} is required`);
    }
    return valid;
  },
  maxProperties(application, limit) {
    const { value } = application.instance;
    if (!isDictionary(value) || value.size <= toCount(limit)) return true;
    return reportViolation(
      application,
      "max-properties",
      `Must have at most ${(limit as Literal).text} properties, not ${value.size}`,
    );
  },
  minProperties(application, limit) {
    const { value } = application.instance;
    if (!isDictionary(value) || value.size >= toCount(limit)) return true;
    return reportViolation(
      application,
      "min-properties",
      `Must have at least ${(limit as Literal).text} properties, not ${value.size}`,
    );
  },
  dependentRequired: (application, dependencies) => depend(application, dependencies, "dependent-required"),
  dependentSchemas: (application, dependencies) => depend(application, dependencies, "dependent-schemas"),
  dependencies: (application, dependencies) => depend(application, dependencies, "dependencies"),
};

/** `check` returns undefined for properties to which the keyword does not apply. */
function each(application: Application, check: (name: string, value: Value) => boolean | undefined): boolean {
  const { instance, seen, sink } = application;
  if (!isDictionary(instance.value)) return true;
  let valid = true;
  for (const [name, value] of instance.value) {
    const verdict = check(name, value);
    if (verdict === undefined) continue;
    seen?.properties.add(name);
    if (verdict) continue;
    valid = false;
    if (sink === undefined) return false;
  }
  return valid;
}

function property(
  application: Application,
  schema: Value,
  name: string,
  value: Value,
  rule: string,
): boolean {
  if (schema !== false) return evaluateChild(application, schema, name, value);
  const at = { value, key: name, parent: application.instance };
  return reportViolation(application, rule, `The property ${quote(name)} is not allowed`, at);
}

/** Applies what the presence of a property requires: a schema, or other properties. */
function depend(application: Application, dependencies: Value, rule: string): boolean {
  const { instance, sink } = application;
  if (!isDictionary(instance.value) || !isDictionary(dependencies)) return true;
  let valid = true;
  for (const [name, wanted] of dependencies) {
    if (!instance.value.has(name)) continue;
    if (isList(wanted)) {
      for (const other of wanted as string[]) {
        if (instance.value.has(other)) continue;
        valid = reportViolation(
          application,
          rule,
          `The property ${quote(other)} is required, because there is ${quote(name)}`,
        );
      }
    } else if (!evaluateHere(application, wanted)) valid = false;
    if (!valid && sink === undefined) return false;
  }
  return valid;
}

const quote = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
