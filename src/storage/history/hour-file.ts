import { StoreError } from "../errors.ts";
import { readLines } from "../log/read-lines.ts";
import { addCounts, metrics, rowId, type UsageRow } from "../usage/usage-store.ts";

/**
 * Reads the file of an hour of a release before `history.db`. Returns its rows, summed by caller and tool, and the number of lines that
 * cannot be read. @throws StoreError for a file of a newer release.
 */
export async function readHourFile(path: string): Promise<{ rows: UsageRow[]; damaged: number }> {
  const sums = new Map<string, UsageRow>();
  let damaged = 0;
  for await (const { bytes } of readLines(path)) {
    const line = parse(bytes.toString());
    if (line !== undefined && "v" in line) requireVersion(path, line["v"]);
    else if (line === undefined || !isRow(line)) damaged += 1;
    else {
      const known = sums.get(rowId(line));
      if (known === undefined) sums.set(rowId(line), line);
      else addCounts(known, line);
    }
  }
  return { rows: [...sums.values()], damaged };
}

function requireVersion(path: string, version: unknown): void {
  if (version === 1) return;
  throw new StoreError(
    "open",
    `${path} was written by another release of penknife (version ${JSON.stringify(version)}, this one reads 1). Start that release, or remove the file.`,
  );
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? (line as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isRow = (line: Record<string, unknown>): line is Record<string, unknown> & UsageRow =>
  ["account", "key", "tool"].every((name) => typeof line[name] === "string") &&
  metrics.every((name) => Number.isSafeInteger(line[name]));
