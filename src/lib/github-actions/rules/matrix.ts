import type { ReportAt } from "../finding.ts";
import { child, entriesOf, isDynamic, type MapNode, type Node, quote, textOf } from "../node.ts";

/** Most values of a row that are compared with `exclude`. */
const maxCompared = 1000;

/** Checks a matrix: rows with values, none of them twice, and exclusions of combinations that exist. */
export function checkMatrix(matrix: Node | undefined, report: ReportAt): void {
  if (matrix?.kind !== "map") return;
  const rows = matrix.entries.filter(({ key }) => key.text !== "include" && key.text !== "exclude");
  for (const { key, value } of rows) {
    if (value.kind === "list") checkRow(key.text, value.items, value, report);
    else if (value.kind === "map")
      report("matrix", value, `The values of ${quote(key.text)} must be a list.`);
  }
  const include = child(matrix, "include");
  if (include?.kind !== "list" || include.items.length === 0) {
    if (matrix.entries.length === 0) report("matrix", matrix, "The matrix is empty.");
  }
  const exclude = child(matrix, "exclude");
  for (const item of exclude?.kind === "list" ? exclude.items.slice(0, maxCompared) : [])
    if (item.kind === "map") checkExclusion(item, matrix, report);
}

function checkRow(name: string, items: readonly Node[], row: Node, report: ReportAt): void {
  if (items.length === 0) report("matrix", row, `The row ${quote(name)} has no values, so that no job runs.`);
  const seen = new Set<string>();
  for (const item of items) {
    const text = item.kind === "scalar" && !isDynamic(item) ? `${typeof item.value} ${item.text}` : undefined;
    if (text === undefined) continue;
    if (seen.has(text))
      report("matrix", item, `The value ${quote(textOf(item) ?? "null")} is in ${quote(name)} twice.`);
    seen.add(text);
  }
}

function checkExclusion(item: MapNode, matrix: MapNode, report: ReportAt): void {
  for (const { key, value } of item.entries) {
    const row = child(matrix, key.text);
    if (row === undefined && !isDynamic(key)) {
      report("matrix", key, `exclude names ${quote(key.text)}, which is no row of the matrix.`);
      continue;
    }
    if (row?.kind !== "list" || value.kind !== "scalar" || isDynamic(value)) continue;
    if (row.items.length > maxCompared || row.items.some((one) => one.kind !== "scalar" || isDynamic(one)))
      continue;
    if (!row.items.some((one) => textOf(one) === textOf(value)))
      report(
        "matrix",
        value,
        `exclude names the value ${quote(textOf(value) ?? "null")}, which ${quote(key.text)} does not have.`,
      );
  }
}

/** Returns the values that an expression takes from the matrix of a job, if it is `${{ matrix.NAME }}`. */
export function matrixValuesOf(text: string, job: Node): readonly Node[] {
  const name = /^\s*\$\{\{\s*matrix\.([\w-]+)\s*\}\}\s*$/.exec(text)?.[1];
  if (name === undefined) return [];
  const matrix = child(job, "strategy", "matrix");
  const row = child(matrix, name);
  const include = child(matrix, "include");
  const included = include?.kind === "list" ? include.items.flatMap((item) => child(item, name) ?? []) : [];
  return [...(row?.kind === "list" ? row.items : []), ...included];
}

export const hasRows = (matrix: Node | undefined): boolean => entriesOf(matrix).length > 0;
