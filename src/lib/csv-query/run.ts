import { DocumentFault, OptionFault } from "../fault.ts";
import type { Re2 } from "../regex/re2.ts";
import { type Aggregate, createCollector, groupKey, parseAggregate } from "./aggregate.ts";
import { type CompileContext, type Compute, compileExpression, isTrue } from "./compile.ts";
import { parseExpression } from "./parse.ts";
import { createOrder } from "./sort.ts";
import type { JoinKey, Row, Table } from "./table.ts";
import type { CellValue } from "./values.ts";

export interface CsvQuery {
  readonly where: string;
  readonly group: readonly string[];
  readonly aggregate: readonly string[];
  readonly select: readonly string[];
  readonly sort: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** Most groups of one query. */
const maxGroups = 1_000_000;

/**
 * Filters, groups, selects and sorts the rows of a table, in this order.
 * @param pattern compiles a regular expression of RE2
 * @throws OptionFault with the option, or DocumentFault with the index of the record
 */
export function queryTable(table: Table, query: CsvQuery, pattern: CompileContext["pattern"]): Table {
  const filtered = about("where", () => filter(table, query.where, pattern));
  const grouped =
    query.group.length === 0 && query.aggregate.length === 0
      ? filtered
      : groupRows(filtered, query.group, query.aggregate);
  const sorted = about("sort", () => sortRows(grouped, query, pattern));
  return about("select", () => selectColumns(sorted, query.select, pattern));
}

/** Reads `on`: names that both tables have, or `left=right`. @throws OptionFault for a column that does not exist */
export function toJoinKeys(left: Table, right: Table, on: readonly string[]): JoinKey[] {
  return on.map((text) => {
    const [first = "", second = first] = left.columns.includes(text) ? [text] : text.split("=");
    return { left: columnOf(left, first.trim()), right: columnOf(right, second.trim()) };
  });
}

/** Most names of columns in a message. */
const maxShown = 12;

/** The index of a column. @throws OptionFault with the names that exist */
function columnOf({ columns }: Table, name: string, index?: number): number {
  const found = columns.indexOf(name);
  if (found >= 0) return found;
  const shown =
    columns
      .slice(0, maxShown)
      .map((one) => one.slice(0, 40))
      .join(", ") || "none";
  throw new OptionFault(
    `There is no column ${JSON.stringify(name.slice(0, 64))}; there are ${shown}${columns.length > maxShown ? " and others" : ""}`,
    { index },
  );
}

function compileFor(table: Table, text: string, pattern: (text: string, flags: string) => Re2): Compute {
  return compileExpression(parseExpression(text), {
    column: (name, at) => columnOf(table, name, at),
    pattern,
  });
}

function filter(table: Table, where: string, pattern: CompileContext["pattern"]): Table {
  if (where.trim() === "") return table;
  const test = compileFor(table, where, pattern);
  return { ...table, rows: table.rows.filter((row) => inRow(row, () => isTrue(test(row.cells)))) };
}

/** Runs work on a record; a fault gets its place. */
function inRow<T>({ from }: Row, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentFault) || error.at.index !== undefined) throw error;
    throw new DocumentFault(error.message, { index: from }, error.rule, error.limit);
  }
}

function about<T>(option: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OptionFault && error.option === undefined)
      throw new OptionFault(error.message, { index: error.index, option });
    throw error;
  }
}

function groupRows(table: Table, group: readonly string[], aggregate: readonly string[]): Table {
  const keys = about("group", () => group.map((name) => columnOf(table, name)));
  const wanted = about("aggregate", () =>
    aggregate.map((text) => {
      const parsed: Aggregate = parseAggregate(text);
      return { parsed, column: parsed.column === undefined ? undefined : columnOf(table, parsed.column) };
    }),
  );
  const groups = new Map<
    string,
    { values: CellValue[]; collectors: ReturnType<typeof createCollector>[]; from: number }
  >();
  const open = (values: CellValue[], from: number) => ({
    values,
    from,
    collectors: wanted.map(({ parsed }) => createCollector(parsed)),
  });
  // Without a group, all rows are one, even if there are none.
  if (keys.length === 0) groups.set(groupKey([]), open([], 0));
  for (const row of table.rows) {
    const values = keys.map((key) => row.cells[key] ?? "");
    const key = groupKey(values);
    let found = groups.get(key);
    if (found === undefined) {
      if (groups.size >= maxGroups)
        throw new DocumentFault(
          `There are more than ${maxGroups} groups.`,
          { index: row.from },
          "too-large",
          maxGroups,
        );
      found = open(values, row.from);
      groups.set(key, found);
    }
    for (const [at, { column }] of wanted.entries())
      inRow(row, () => found.collectors[at]?.add(column === undefined ? "" : (row.cells[column] ?? "")));
  }
  return {
    columns: about("aggregate", () => distinctNames([...group, ...wanted.map(({ parsed }) => parsed.name)])),
    rows: Array.from(groups.values(), ({ values, collectors, from }) => ({
      cells: [...values, ...collectors.map(({ result }) => result())],
      from,
    })),
  };
}

function distinctNames(names: readonly string[]): readonly string[] {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated === undefined) return names;
  throw new OptionFault(
    `Two columns of the result have the name ${JSON.stringify(repeated.slice(0, 64))}: write name=… before one of them`,
  );
}

/** A column, or `name=expression`. */
const named = /^\s*(?:`((?:[^`]|``)+)`|([\p{L}_][\p{L}\p{M}\p{N}_. -]*?))\s*=(?!=)(.+)$/su;

function selectColumns(table: Table, select: readonly string[], pattern: CompileContext["pattern"]): Table {
  if (select.length === 0) return table;
  const chosen = select.flatMap((text): { name: string; compute: Compute }[] => {
    if (text.trim() === "*")
      return table.columns.map((name, index) => ({ name, compute: (row) => row[index] ?? "" }));
    const whole = table.columns.indexOf(text);
    if (whole >= 0) return [{ name: text, compute: (row) => row[whole] ?? "" }];
    const [, quoted, plain, expression] = named.exec(text) ?? [];
    if (expression === undefined) {
      const index = columnOf(table, text.trim());
      return [{ name: text.trim(), compute: (row) => row[index] ?? "" }];
    }
    const name = quoted?.replaceAll("``", "`") ?? (plain as string);
    return [{ name, compute: compileFor(table, expression, pattern) }];
  });
  return {
    columns: distinctNames(chosen.map(({ name }) => name)),
    rows: table.rows.map((row) => ({
      from: row.from,
      cells: inRow(row, () => chosen.map(({ compute }) => compute(row.cells))),
    })),
  };
}

/** Sorts by columns, or by what `select` computes under a name, and keeps the rows from `offset` on. */
function sortRows(table: Table, query: CsvQuery, pattern: CompileContext["pattern"]): Table {
  const { sort, select, offset, limit } = query;
  let rows = table.rows;
  if (sort.length > 0) {
    const computed = new Map<string, Compute>();
    for (const text of select) {
      const [, quoted, plain, expression] = table.columns.includes(text) ? [] : (named.exec(text) ?? []);
      if (expression === undefined) continue;
      computed.set(
        quoted ?? (plain as string),
        about("select", () => compileFor(table, expression, pattern)),
      );
    }
    const order = createOrder(
      sort,
      (name) => {
        const compute = computed.get(name);
        if (compute !== undefined) return compute;
        const index = columnOf(table, name);
        return (row) => row[index] ?? "";
      },
      [...table.columns, ...computed.keys()],
    );
    rows = rows
      .map((row) => ({ row, keys: inRow(row, () => order.keysOf(row.cells)) }))
      .toSorted((a, b) => order.compare(a.keys, b.keys))
      .map(({ row }) => row);
  }
  return { ...table, rows: rows.slice(offset, offset + limit) };
}
