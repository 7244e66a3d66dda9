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
  return (
    <div class={isDense ? "scroll card dense" : "scroll card"} role="region" aria-label={label} tabIndex={0}>
      <table>
        <caption class="unseen">{caption ?? label}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber, isPicture, isActions }) =>
              isPicture ? (
                <td class="share" key={title} />
              ) : (
                <th scope="col" class={isNumber ? "number" : undefined} key={title}>
                  {isActions ? <span class="unseen">{title}</span> : title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody onKeyDown={moveRow}>
          {rows.map((row) => (
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
