import type { Finding } from "../catalog/report.ts";
import { findChanges, type Impact, type SchemaChange } from "../lib/graphql/differ.ts";
import { type Federation, toSubgraph } from "../lib/graphql/federation.ts";
import { type Graphql, loadGraphql, parseDocument } from "../lib/graphql/problem.ts";
import { readSchema } from "../lib/graphql/schema.ts";
import { placesOf } from "../lib/places.ts";
import { toFindings } from "./findings.ts";
import { refuse } from "./refusing.ts";

/** Reads two schemas and compares them. @throws ToolError invalid_document for a schema that is not valid. */
export async function compareSchemas(
  from: string,
  to: string,
  { federation, old }: { federation: Federation; old: "data" | "other" },
): Promise<SchemaChange[]> {
  const graphql = await loadGraphql();
  const [fromField, toField] = old === "data" ? [undefined, "other"] : ["other", undefined];
  const before = readDefinitions(graphql, from, federation, fromField);
  return findChanges(graphql, before, readDefinitions(graphql, to, federation, toField));
}

function readDefinitions(graphql: Graphql, text: string, federation: Federation, field?: string) {
  const { problems, executable } = readSchema(graphql, text, federation);
  const [first] = problems;
  if (first !== undefined) throw refuse(text, { index: first.index }, first.message, field);
  const document = parseDocument(graphql, text);
  if (executable || !("kind" in document))
    throw refuse(text, { index: 0 }, "Expected a schema, not operations.", field);
  return toSubgraph(graphql, document, federation).document;
}

const order: readonly Impact[] = ["breaking", "dangerous", "safe"];

/** Writes changes as JSON, with their places in the old or the new schema. */
export function writeChanges(from: string, to: string, changes: readonly SchemaChange[]): string {
  const [olds, news] = [from, to].map((text, at) =>
    placesOf(
      text,
      changes
        .filter(({ isOld }) => isOld === (at === 0))
        .map(({ isOld, oldIndex, newIndex }) => ({ index: isOld ? oldIndex : newIndex })),
    ),
  );
  let [old, now] = [0, 0];
  const rows = changes.map(({ impact, rule, message, coordinate, isOld }) => {
    const { line = 1, column = 1 } = (isOld ? olds?.[old++] : news?.[now++]) ?? {};
    return { impact, rule, message, coordinate, in: isOld ? "old" : "new", line, column };
  });
  return JSON.stringify(rows, null, 2);
}

/** Writes changes for people: a heading for each impact, and a list below it. */
export const writeMarkdown = (changes: readonly SchemaChange[]): string =>
  order
    .flatMap((impact) => {
      const some = changes.filter((one) => one.impact === impact);
      if (some.length === 0) return [];
      const items = some.map(
        ({ message }) => `- ${message.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`).replaceAll(/\s+/g, " ")}`,
      );
      return [`## ${impact[0]?.toUpperCase()}${impact.slice(1)}`, "", ...items, ""];
    })
    .join("\n")
    .trimEnd();

/** Changes reported at most. */
const maxShown = 100;

/** Findings of changes with an impact that fails the check, as errors, and of others as warnings; with places in `data`. */
export function toChangeFindings(
  data: string,
  changes: readonly SchemaChange[],
  failOn: "breaking" | "dangerous" | "any",
  old: "data" | "other",
): Finding[] {
  const fails = (impact: Impact): boolean =>
    failOn === "any" || impact === "breaking" || (failOn === "dangerous" && impact === "dangerous");
  const wanted = changes.filter(({ impact }) => impact !== "safe" || failOn === "any");
  const sorted = wanted.toSorted((a, b) => Number(fails(b.impact)) - Number(fails(a.impact)));
  const faults = sorted.slice(0, maxShown).map(({ impact, rule, message, oldIndex, newIndex }) => ({
    message,
    rule,
    severity: fails(impact) ? ("error" as const) : ("warning" as const),
    index: old === "data" ? oldIndex : newIndex,
  }));
  const rest = sorted.length - faults.length;
  const more = {
    message: `There are ${rest} more changes.`,
    rule: "more-changes",
    severity: "warning" as const,
    index: 0,
  };
  return toFindings(data, rest > 0 ? [...faults, more] : faults);
}
