import { entryOf } from "./adapter.ts";
import type { Row } from "./corpus.ts";
import { compare } from "./expect.ts";
import { toCall } from "./mapping.ts";
import { type Isolate, runRow } from "./run-row.ts";

export interface Failure {
  /** The case, with the slug where it is not the row's own but one that the same input also fits. */
  id: string;
  tool: string;
  fault: string;
  row: Row;
}

/** The result of a suite. Each row counts once under its own slug, and once for each further slug that it fits. */
export interface SuiteResult {
  name: string;
  rows: number;
  /** Under their own slug: rows with a tool and without a dispute, and how many of them pass. */
  required: Row[];
  passed: Row[];
  /** The same for the further slugs that a row fits. */
  alsoRequired: number;
  alsoPassed: number;
  failures: Failure[];
  /** Rows that another library contradicts, and how many of those we agree with. */
  disputed: number;
  agreed: number;
  /** Reasons why no tool does it → number of rows, under their own slug. */
  without: Map<string, number>;
}

export async function runSuite(name: string, rows: Row[], isolate?: Isolate): Promise<SuiteResult> {
  const result: SuiteResult = {
    name,
    rows: rows.length,
    required: [],
    passed: [],
    alsoRequired: 0,
    alsoPassed: 0,
    failures: [],
    disputed: 0,
    agreed: 0,
    without: new Map(),
  };
  for (const row of rows) {
    await runSlug(result, row, row.slug, isolate);
    for (const slug of row.also ?? []) await runSlug(result, row, slug, isolate);
  }
  return result;
}

async function runSlug(result: SuiteResult, row: Row, slug: string, isolate?: Isolate): Promise<void> {
  const own = slug === row.slug;
  const call = toCall(entryOf(result.name, slug), row);
  if ("none" in call) {
    const reason = `${slug}: ${call.none}`;
    if (own) result.without.set(reason, (result.without.get(reason) ?? 0) + 1);
    return;
  }
  const { mapping } = call;
  const expected = mapping.expected?.(row.expect) ?? row.expect;
  // A call with a time limit may have to be ended from outside. A call that misses its limit never ends, so that a busy
  // machine may have twenty times the limit.
  const { maxMs } = row.expect;
  const limit = Number(maxMs ?? Infinity) * 20;
  const started = performance.now();
  const outcome = await runRow(row, call, maxMs === undefined ? undefined : isolate);
  const late = performance.now() - started > limit;
  const fault = late ? `took longer than ${limit} ms` : compare(expected, outcome, row);
  if (row.disputed_by !== undefined) {
    if (!own) return;
    result.disputed += 1;
    if (fault === undefined) result.agreed += 1;
    return;
  }
  if (own) result.required.push(row);
  else result.alsoRequired += 1;
  if (fault !== undefined) {
    const id = own ? row.case : `${row.case} (${slug})`;
    result.failures.push({ id, tool: mapping.tool, fault, row });
  } else if (own) result.passed.push(row);
  else result.alsoPassed += 1;
}

/** One line for the suite, and one for each reason why rows have no tool. */
export function describeSuite(result: SuiteResult): string {
  const { name, rows, required, passed, alsoRequired, alsoPassed, disputed, agreed, without } = result;
  const notes = [
    alsoRequired > 0 && `${alsoPassed} of ${alsoRequired} with other slugs`,
    disputed > 0 && `disputed: we agree with ${agreed} of ${disputed}`,
    without.size > 0 && `no tool for ${rows - required.length - disputed} of ${rows} rows`,
  ].filter((note) => note !== false);
  return [
    `${name}: ${passed.length} of ${required.length}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
    ...[...without].map(([reason, count]) => `  ${count} × ${reason}`),
  ].join("\n");
}
