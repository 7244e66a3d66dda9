import { createNumbering } from "../data/equal.ts";
import { type Dictionary, isDictionary, type Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import type { Version } from "../openapi/grammar.ts";
import type { Change, Report } from "./change.ts";
import { compareCallback, compareOperation, type OperationDeps } from "./compare-operations.ts";
import { createSchemaComparer } from "./compare-schemas.ts";
import { compareSchemes, compareSecurity } from "./compare-security.ts";
import type { Ignored } from "./ignored.ts";
import { endOf, lifetimeOf } from "./lifetime.ts";
import { type Api, type Operation, type Path, readApi } from "./read-api.ts";
import { rules } from "./rules.ts";

/** Most schemas and pairs of them that are looked at: parts of `allOf` can be combined in very many ways. */
export const maxSteps = 500_000;
/** Most changes; the others are only counted. */
export const maxChanges = 10_000;

export interface Comparison {
  changes: Change[];
  /** How many there are beyond the most that are kept. */
  more: number;
}

export interface ComparisonOptions {
  /** Epoch milliseconds; what was announced to end before may be gone. */
  now: number;
  ignored: Ignored;
}

/**
 * Compares two descriptions that are of a known version. Nothing is fetched: what references to other documents lead to is not compared.
 * @throws DocumentFault if they are too intricate.
 */
export function compareApis(
  oldRoot: Value,
  newRoot: Value,
  versions: { old: Version; new: Version },
  { now, ignored }: ComparisonOptions,
): Comparison {
  const [old, next] = [
    readApi({ root: oldRoot, version: versions.old }),
    readApi({ root: newRoot, version: versions.new }),
  ];
  let left = maxSteps;
  const numberOf = createNumbering();
  const schemas = createSchemaComparer({
    old: old.side,
    new: next.side,
    numberOf,
    count() {
      if (--left < 0)
        throw new DocumentFault(
          `The schemas can be combined in more than ${maxSteps} ways; split the description.`,
          { pointer: "" },
          "limit",
          maxSteps,
        );
    },
  });
  const comparison: Comparison = { changes: [], more: 0 };
  const reporting =
    (operation: string): Report =>
    (rule, { old: from, new: to, isOld = false }, text) => {
      if (ignored.rules.has(rule)) return;
      if (comparison.changes.length >= maxChanges) return void comparison.more++;
      const { impact } = rules.get(rule) ?? unknown(rule);
      const message =
        operation === "" ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : `${operation}: ${text}.`;
      comparison.changes.push({
        rule,
        impact,
        operation,
        isOld,
        old: from,
        new: to,
        message: message.replace(/\.\.$/, "."),
      });
    };
  const depsOf = (operation: string): OperationDeps => ({
    old,
    new: next,
    schemas,
    now,
    report: reporting(operation),
  });
  comparePaths(old, next, now, ignored, depsOf);
  compareWebhooks(old, next, depsOf);
  const report = reporting("");
  if (old.security !== undefined || next.security !== undefined)
    compareSecurity(old.security, next.security, { old: "", new: "" }, report);
  compareSchemes(old, next, report);
  for (const [url, place] of old.servers)
    if (!next.servers.has(url))
      report(
        "server-removed",
        { old: place.pointer, new: "", isOld: true },
        `the server ${show(url)} was removed`,
      );
  for (const [url, place] of next.servers)
    if (!old.servers.has(url))
      report("server-added", { old: "", new: place.pointer }, `the server ${show(url)} was added`);
  for (const [name, place] of old.schemas)
    if (!next.schemas.has(name))
      report(
        "component-removed",
        { old: place.pointer, new: "", isOld: true },
        `the schema ${show(name)} was removed from the components`,
      );
  return comparison;
}

const show = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

function unknown(rule: string): never {
  throw new Error(`There is no rule ${rule}`);
}

const operationRules = {
  announced: "deprecated-operation-removed",
  early: "operation-removed-before-sunset",
  sudden: "operation-removed",
};
const pathRules = {
  announced: "deprecated-path-removed",
  early: "path-removed-before-sunset",
  sudden: "path-removed",
};

function comparePaths(
  old: Api,
  next: Api,
  now: number,
  ignored: Ignored,
  depsOf: (operation: string) => OperationDeps,
): void {
  const pointerOf = (api: Api): string =>
    isDictionary(api.side.root) && (api.side.root as Dictionary).has("paths") ? "/paths" : "";
  for (const [shape, before] of old.paths) {
    const after = next.paths.get(shape);
    const isKept = ([method]: [string, Operation]): boolean => !ignored.path(before.name, method);
    const operations = [...before.operations].filter(isKept);
    if (operations.length === 0) continue;
    if (after === undefined) {
      const ends = operations.map(([, { place }]) => endOf(lifetimeOf(place), now));
      const how = ends.includes("sudden") ? "sudden" : ends.includes("early") ? "early" : "announced";
      depsOf("").report(
        pathRules[how],
        { old: before.pointer, new: pointerOf(next), isOld: true },
        `the path ${show(before.name)} was removed${how === "early" ? " before its sunset" : ""}`,
      );
      continue;
    }
    for (const [method, operation] of operations) {
      const deps = depsOf(`${method} ${before.name}`);
      const other = after.operations.get(method);
      if (other !== undefined) {
        compareOperation(operation, other, deps);
        compareCallbacks(operation, other, deps);
        continue;
      }
      const how = endOf(lifetimeOf(operation.place), now);
      deps.report(
        operationRules[how],
        { old: operation.place.pointer, new: after.pointer, isOld: true },
        `the operation was removed${how === "early" ? " before its sunset" : ""}`,
      );
    }
  }
  for (const [shape, after] of next.paths)
    for (const [method, { place }] of after.operations)
      if (!(old.paths.get(shape)?.operations.has(method) ?? false) && !ignored.path(after.name, method))
        depsOf(`${method} ${after.name}`).report(
          "operation-added",
          { old: old.paths.get(shape)?.pointer ?? pointerOf(old), new: place.pointer },
          "the operation was added",
        );
}

function compareCallbacks(before: Operation, after: Operation, deps: OperationDeps): void {
  compareSent(
    before.callbacks,
    after.callbacks,
    "callback",
    { old: before.place.pointer, new: after.place.pointer },
    () => deps,
  );
}

function compareWebhooks(old: Api, next: Api, depsOf: (operation: string) => OperationDeps): void {
  compareSent(old.webhooks, next.webhooks, "webhook", { old: "", new: "" }, (name) =>
    depsOf(`webhook ${name}`),
  );
}

/** Compares requests that a client receives. */
function compareSent(
  olds: ReadonlyMap<string, Path>,
  news: ReadonlyMap<string, Path>,
  kind: "webhook" | "callback",
  holders: { old: string; new: string },
  depsOf: (name: string) => OperationDeps,
): void {
  for (const [name, before] of olds) {
    const after = news.get(name);
    if (after === undefined)
      depsOf(name).report(
        `${kind}-removed`,
        { old: before.pointer, new: holders.new, isOld: true },
        `the ${kind} ${show(name)} was removed`,
      );
    else
      for (const [method, operation] of before.operations) {
        const other = after.operations.get(method);
        if (other !== undefined) compareCallback(operation, other, depsOf(name));
      }
  }
  for (const [name, after] of news)
    if (!olds.has(name))
      depsOf(name).report(
        `${kind}-added`,
        { old: holders.old, new: after.pointer },
        `the ${kind} ${show(name)} was added`,
      );
}
