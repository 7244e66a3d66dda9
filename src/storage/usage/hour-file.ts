import { StoreError } from "../errors.ts";
import { readLines } from "../log/read-lines.ts";
import { addCounts, metrics, rowId, type UsageRow } from "./usage-store.ts";

/** The first line of an hour's file; the number is its version. */
export const header = (hour: string, whole: boolean): string =>
  `${JSON.stringify({ v: 1, hour, ...(whole && { whole }) })}\n`;

/** Returns one line; rows of the same caller and tool add up. */
export const toUsageLine = ({ account, key, tool, ...counts }: UsageRow): string =>
  `${JSON.stringify({ account, key, tool, ...Object.fromEntries(metrics.map((name) => [name, counts[name]])) })}\n`;

/** Yields the rows of a file. Skips a line that a crash has torn. @throws StoreError for a file of a newer release. */
export async function* readHourFile(path: string): AsyncIterable<UsageRow> {
  for await (const { bytes } of readLines(path)) {
    const line = parse(bytes.toString());
    if (line === undefined) continue;
    if ("v" in line) {
      if (line["v"] === 1) continue;
      throw new StoreError(
        "read",
        `${path} was written by another release of penknife (version ${JSON.stringify(line["v"])}, this one reads 1). Start that release, or remove the file.`,
      );
    }
    if (isRow(line)) yield line;
  }
}

/** Returns the rows of a file, summed by caller and tool. */
export async function sumHourFile(path: string): Promise<UsageRow[]> {
  const sums = new Map<string, UsageRow>();
  for await (const row of readHourFile(path)) {
    const known = sums.get(rowId(row));
    if (known === undefined) sums.set(rowId(row), row);
    else addCounts(known, row);
  }
  return [...sums.values()];
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
