import type { ComponentChildren, JSX } from "preact";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  isNumber?: boolean;
  /** Whether the column is only a picture of another one. It has no title. */
  isPicture?: boolean;
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
}

/** A table that scrolls by itself where it is wider than the screen. */
export const Table = <Row,>({ label, caption, columns, rows, idOf }: TableProps<Row>): JSX.Element => (
  <div class="scroll" role="region" aria-label={label} tabIndex={0}>
    <table>
      <caption class="unseen">{caption ?? label}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, isPicture }) =>
            isPicture ? (
              <td class="share" key={title} />
            ) : (
              <th scope="col" class={isNumber ? "number" : undefined} key={title}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ title, cell, isNumber, isPicture }, index) =>
              index === 0 ? (
                <th scope="row" class={isNumber ? "number" : undefined} key={title}>
                  {cell(row)}
                </th>
              ) : isPicture ? (
                <td class="share" aria-hidden="true" key={title}>
                  {cell(row)}
                </td>
              ) : (
                <td class={isNumber ? "number" : undefined} key={title}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
