import { isDictionary, isList, type Literal, type Value } from "../data/value.ts";
import { type Application, reportViolation, evaluateChild, type Keyword } from "./evaluation.ts";
import { toCount } from "./values.ts";

/** Keywords for arrays; values of other types pass. */
export const arrayKeywords: Record<string, Keyword> = {
  prefixItems: (application, schemas) => positional(application, schemas as Value[]),
  items(application, schemas) {
    if (isList(schemas) && application.scope.resource.dialect.draft !== "2020-12")
      return positional(application, schemas);
    const prefix = application.schema.get("prefixItems");
    const modern = application.scope.resource.dialect.keywords.has("prefixItems");
    return rest(
      application,
      schemas,
      modern && isList(prefix ?? null) ? (prefix as Value[]).length : 0,
      "items",
    );
  },
  additionalItems(application, schema) {
    const items = application.schema.get("items");
    return !isList(items ?? null) || rest(application, schema, (items as Value[]).length, "additional-items");
  },
  contains(application, schema) {
    const { instance, seen } = application;
    const { draft, keywords } = application.scope.resource.dialect;
    if (!isList(instance.value)) return true;
    // The vocabulary that has `maxItems` has these limits too.
    const limits = keywords.has("maxItems") && (draft === "2020-12" || draft === "2019-09");
    const most = limits ? application.schema.get("maxContains") : undefined;
    const least = limits ? application.schema.get("minContains") : undefined;
    let count = 0;
    for (const [index, item] of instance.value.entries()) {
      if (!evaluateChild(application, schema, index, item, true)) continue;
      count++;
      if (draft === "2020-12") seen?.indexes.add(index);
    }
    const wanted = least === undefined ? 1 : toCount(least);
    if (count < wanted)
      return reportViolation(
        application,
        least === undefined ? "contains" : "min-contains",
        `Must have at least ${wanted} ${items(wanted)} that match the schema in contains, not ${count}`,
      );
    if (most === undefined || count <= toCount(most)) return true;
    return reportViolation(
      application,
      "max-contains",
      `Must have at most ${toCount(most)} ${items(toCount(most))} that match the schema in contains, not ${count}`,
    );
  },
  unevaluatedItems(application, schema) {
    const { instance, seen } = application;
    if (!isList(instance.value) || seen === undefined) return true;
    let valid = true;
    for (const [index, item] of instance.value.entries()) {
      if (index < seen.items || seen.indexes.has(index)) continue;
      if (!child(application, schema, index, item, "unevaluated-items")) valid = false;
      if (!valid && application.sink === undefined) return false;
    }
    seen.items = Infinity;
    return valid;
  },
  maxItems(application, limit) {
    const { value } = application.instance;
    if (!isList(value) || value.length <= toCount(limit)) return true;
    return reportViolation(
      application,
      "max-items",
      `Must have at most ${textOf(limit)} ${items(toCount(limit))}, not ${value.length}`,
    );
  },
  minItems(application, limit) {
    const { value } = application.instance;
    if (!isList(value) || value.length >= toCount(limit)) return true;
    return reportViolation(
      application,
      "min-items",
      `Must have at least ${textOf(limit)} ${items(toCount(limit))}, not ${value.length}`,
    );
  },
  uniqueItems(application, unique) {
    const { instance, run } = application;
    if (unique !== true || !isList(instance.value)) return true;
    const first = new Map<number, number>();
    for (const [index, item] of instance.value.entries()) {
      const number = run.numberOf(item);
      const before = first.get(number);
      if (before !== undefined)
        return reportViolation(
          application,
          "unique-items",
          `Items ${before} and ${index} are equal, and must not be`,
        );
      first.set(number, index);
    }
    return true;
  },
};

function positional(application: Application, schemas: readonly Value[]): boolean {
  const { instance, seen, sink } = application;
  if (!isList(instance.value)) return true;
  let valid = true;
  const count = Math.min(schemas.length, instance.value.length);
  for (let index = 0; index < count; index++) {
    if (evaluateChild(application, schemas[index] as Value, index, instance.value[index] as Value)) continue;
    valid = false;
    if (sink === undefined) return false;
  }
  if (seen !== undefined) seen.items = Math.max(seen.items, count);
  return valid;
}

/** Applies a schema to every item from `start` on. */
function rest(application: Application, schema: Value, start: number, rule: string): boolean {
  const { instance, seen, sink } = application;
  if (!isList(instance.value) || (!isDictionary(schema) && typeof schema !== "boolean")) return true;
  let valid = true;
  for (let index = start; index < instance.value.length; index++) {
    if (child(application, schema, index, instance.value[index] as Value, rule)) continue;
    valid = false;
    if (sink === undefined) return false;
  }
  if (seen !== undefined) seen.items = Infinity;
  return valid;
}

function child(application: Application, schema: Value, index: number, value: Value, rule: string): boolean {
  if (schema !== false) return evaluateChild(application, schema, index, value);
  return reportViolation(application, rule, "No more items are allowed here", {
    value,
    key: index,
    parent: application.instance,
  });
}

const items = (count: number): string => (count === 1 ? "item" : "items");

const textOf = (value: Value): string => (value as Literal).text;
