import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { moveRow } from "./row-keys.ts";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  isNumber?: boolean;
  /** Whether the column is only a picture of another one. It has no title. */
  isPicture?: boolean;
  /** Whether the column has buttons, and its title is for screen readers only. */
  isActions?: boolean;
  /** Returns what the rows are sorted by; null comes last. Without it the column cannot be sorted. */
  sortBy?(row: Row): string | number | null | undefined;
}

/** The column by which a table is sorted. */
interface Order {
  title: string;
  isDown: boolean;
}

export interface TableProps<Row> {
  /** Names the region, which can be scrolled. */
  label: string;
  /** Names the table; `label` by default. */
  caption?: string | undefined;
  /** The first one names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf(row: Row): string | number;
  /** Whether something else on the page shows the row. */
  isCurrent?(row: Row): boolean;
  /** Whether the rows are low. */
  isDense?: boolean | undefined;
}

/** A table that scrolls by itself where it is wider than its place; on phones each row is a card. */
export const Table = <Row,>(props: TableProps<Row>): JSX.Element => {
  const { label, caption, columns, rows, idOf, isCurrent, isDense } = props;
  const order = useSignal<Order | undefined>(undefined);
  return (
    <div class={isDense ? "scroll card dense" : "scroll card"} role="region" aria-label={label} tabIndex={0}>
      <table>
        <caption class="unseen">{caption ?? label}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isPicture, isActions, sortBy }) =>
              isPicture ? (
                <td class="share" key={title} />
              ) : sortBy !== undefined ? (
                <SortHead
                  title={title}
                  isNumber={isNumber === true}
                  order={order.value?.title === title ? order.value : undefined}
                  onSort={(isDown) => (order.value = { title, isDown })}
                  key={title}
                />
              ) : (
                <th scope="col" class={isNumber ? "number" : undefined} key={title}>
                  {isActions ? <span class="unseen">{title}</span> : title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody onKeyDown={moveRow}>
          {sort(rows, columns, order.value).map((row) => (
            <tr key={idOf(row)} aria-current={isCurrent?.(row) ? "true" : undefined}>
              {columns.map((column, index) => (
                <Cell column={column} row={row} isName={index === 0} key={column.title} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface SortHeadProps {
  title: string;
  isNumber: boolean;
  /** Undefined if the table is not sorted by this column. */
  order: Order | undefined;
  onSort(isDown: boolean): void;
}

/** The head of a column that sorts the rows that are shown: texts from A to Z first, numbers from the largest. */
const SortHead = ({ title, isNumber, order, onSort }: SortHeadProps): JSX.Element => (
  <th
    scope="col"
    class={isNumber ? "number" : undefined}
    aria-sort={order === undefined ? "none" : order.isDown ? "descending" : "ascending"}
  >
    <button
      type="button"
      class="sort"
      title="Sort the rows of this page"
      onClick={() => onSort(order === undefined ? isNumber : !order.isDown)}
    >
      {title}
      <span aria-hidden="true">{order === undefined ? "" : order.isDown ? " ↓" : " ↑"}</span>
    </button>
  </th>
);

const collator = new Intl.Collator(undefined, { numeric: true });

/** Returns the rows in an order; equal ones keep theirs. */
function sort<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ title }) => title === order?.title)?.sortBy;
  if (sortBy === undefined || order === undefined) return rows;
  const keys = new Map(rows.map((row) => [row, sortBy(row) ?? null]));
  return rows.toSorted((one, other) => {
    const [left = null, right = null] = [keys.get(one), keys.get(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const found =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : collator.compare(String(left), String(right));
    return order.isDown ? -found : found;
  });
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  /** Whether it names the row. */
  isName: boolean;
}

function Cell<Row>({ column, row, isName }: CellProps<Row>): JSX.Element {
  const { title, cell, isNumber, isPicture, isActions } = column;
  if (isName)
    return (
      <th scope="row" class={isNumber ? "number" : undefined}>
        {cell(row)}
      </th>
    );
  if (isPicture)
    return (
      <td class="share" aria-hidden="true">
        {cell(row)}
      </td>
    );
  return (
    <td
      class={isActions ? "acts" : isNumber ? "number" : undefined}
      data-label={isActions ? undefined : title}
    >
      {cell(row)}
    </td>
  );
}
