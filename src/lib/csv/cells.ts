import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { toJson } from "../data/to-json.ts";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";

/** The content of one field. */
export interface Cell {
  readonly text: string;
  /** Whether it was a string: a number is never a formula, whatever its sign. */
  readonly isText: boolean;
}

export interface Flattener {
  /** The column names met so far, in order. */
  readonly columns: ReadonlySet<string>;
  /** Returns the cells of a record by column. */
  add(row: Value, path: (string | number)[]): Map<string, Cell>;
}

/**
 * Most characters of all column names: names are built from keys, and long keys over many members multiply.
 */
const maxNames = 64 * 1024 * 1024;

export function createFlattener({ flatten }: { flatten: boolean }): Flattener {
  const columns = new Set<string>();
  let written = 0;

  function put(cells: Map<string, Cell>, column: string, value: Value, path: (string | number)[]): void {
    written += column.length;
    if (written > maxNames)
      throw new DocumentFault("The names of the columns are too long; shorten the keys.", {
        pointer: toShortPointer(path),
      });
    if (cells.has(column)) {
      const message = `Two members of this record map to the column ${JSON.stringify(column.slice(0, 64))}; rename one, or do not flatten.`;
      throw new DocumentFault(message, { pointer: toShortPointer(path) }, "collision");
    }
    columns.add(column);
    cells.set(column, toCell(value));
  }

  /** Recursive: values are at most 512 levels deep. */
  function walk(cells: Map<string, Cell>, prefix: string, value: Value, path: (string | number)[]): void {
    const entries = isDictionary(value) ? value : isList(value) ? value.entries() : [];
    for (const [key, member] of entries) {
      const column = prefix === "" && path.length === 1 ? String(key) : `${prefix}.${key}`;
      path.push(key);
      const inner = isDictionary(member) ? member.size > 0 : isList(member) && member.length > 0;
      if (inner && flatten) walk(cells, column, member, path);
      else put(cells, column, member, path);
      path.pop();
    }
  }

  return {
    columns,
    add(row, path) {
      const cells = new Map<string, Cell>();
      if (isList(row)) {
        // The fields of a list have no names: a nested value stays one field.
        for (const [index, value] of row.entries()) cells.set(String(index), toCell(value));
      } else walk(cells, "", row, path);
      return cells;
    },
  };
}

function toCell(value: Value): Cell {
  if (value === null) return { text: "", isText: false };
  if (typeof value === "string") return { text: value, isText: true };
  if (typeof value === "boolean") return { text: String(value), isText: false };
  if (isLiteral(value)) return { text: value.text, isText: false };
  return { text: toJson(value, 0), isText: true };
}
