import { type CsvReadOptions, readRows } from "../csv/read.ts";
import { DocumentFault } from "../fault.ts";
import type { CellValue } from "./values.ts";

/** A record, and its index in the text that it was read from. */
export interface Row {
  readonly cells: readonly CellValue[];
  readonly from: number;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Most cells of a table: a join can multiply two small ones. */
const maxCells = 5_000_000;

/** Reads a CSV text; without a header the columns are c1, c2 and so on. @throws DocumentFault */
export function readTable(text: string, options: CsvReadOptions): Table {
  let columns: readonly string[] | undefined;
  const rows: Row[] = [];
  readRows(text, options, (names, cells, from) => {
    columns ??= names ?? cells.map((_, at) => `c${at + 1}`);
    rows.push({ cells, from });
    return true;
  });
  if (columns === undefined && options.header)
    // A header alone is a table without records.
    readRows(text, { ...options, header: false, limit: 1 }, (_, cells) => {
      columns = options.trim === true ? cells.map((cell) => cell.trim()) : cells;
      return false;
    });
  return { columns: columns ?? [], rows };
}

/** Two columns whose values are equal in rows that belong together. */
export interface JoinKey {
  readonly left: number;
  readonly right: number;
}

/**
 * Joins each row with the rows of another table that have equal texts in the key columns; `kind` left keeps rows without any. The
 * columns of the other table follow, without its keys; `_2` is added to names that both have.
 * @throws DocumentFault if the result is too large
 */
export function joinTables(
  left: Table,
  right: Table,
  keys: readonly JoinKey[],
  kind: "inner" | "left",
): Table {
  const index = new Map<string, Row[]>();
  const keyOf = (row: Row, side: "left" | "right"): string =>
    JSON.stringify(keys.map((key) => row.cells[key[side]] ?? ""));
  for (const row of right.rows) {
    const key = keyOf(row, "right");
    const found = index.get(key);
    if (found === undefined) index.set(key, [row]);
    else found.push(row);
  }
  const joined = right.columns.map((_, at) => at).filter((at) => !keys.some((key) => key.right === at));
  const columns = [...left.columns];
  for (const at of joined) columns.push(freeName(right.columns[at] as string, columns));
  const rows: Row[] = [];
  const none: Row[] = kind === "left" ? [{ cells: [], from: 0 }] : [];
  for (const row of left.rows) {
    for (const other of index.get(keyOf(row, "left")) ?? none) {
      if ((rows.length + 1) * columns.length > maxCells)
        throw new DocumentFault(
          `The join has more than ${maxCells} cells.`,
          { index: row.from },
          "too-large",
        );
      const own = left.columns.map((_, at) => row.cells[at] ?? "");
      rows.push({ cells: [...own, ...joined.map((at) => other.cells[at] ?? "")], from: row.from });
    }
  }
  return { columns, rows };
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let count = 2;
  while (taken.includes(`${name}_${count}`)) count++;
  return `${name}_${count}`;
}
