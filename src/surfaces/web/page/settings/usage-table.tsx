import type { JSX } from "preact";
import { Icon } from "../ui/icon.tsx";
import { ShareBar } from "../ui/share-bar.tsx";
import { Table } from "../ui/table.tsx";
import { toCsv } from "./csv.ts";
import type { Counts } from "./usage-report.ts";

/** One line: what is counted, and how often. */
export interface UsageRow extends Counts {
  /** Unique in its table. */
  id: string;
  name: JSX.Element | string;
  /** Cells of the name in the CSV file. */
  cells: readonly string[];
}

export interface UsageTableProps {
  /** The subject of the table, for screen readers. */
  caption: string;
  /** Heading of the first column. */
  heading: string;
  rows: readonly UsageRow[];
  /** Headings of `cells`. */
  columns: readonly string[];
  /** Name of the CSV file, without its extension. */
  file: string;
}

const counts = ["requests", "ok", "refused", "failed", "limited"] as const;
const headings = ["Requests", "Answered", "Refused", "Failed", "Over the quota"] as const;
const format = new Intl.NumberFormat();

/** A table with a bar in each row. */
export function UsageTable({ caption, heading, rows }: UsageTableProps): JSX.Element {
  if (rows.length === 0) return <p class="none">No requests.</p>;
  const most = Math.max(1, ...rows.map(({ requests }) => requests));
  return (
    <Table
      label={caption}
      rows={rows}
      idOf={({ id }) => id}
      isDense
      columns={[
        { title: heading, cell: ({ name }) => name },
        {
          title: "Share",
          isPicture: true,
          cell: ({ requests }) => <ShareBar part={requests} whole={most} />,
        },
        ...counts.map((name, index) => ({
          title: headings[index] ?? "",
          isNumber: true,
          cell: (row: UsageRow) => format.format(row[name]),
        })),
      ]}
    />
  );
}

/** A button that saves a table as a file. */
export const CsvButton = ({ of: { caption, rows, columns, file } }: { of: UsageTableProps }): JSX.Element => (
  <button
    class="quiet small"
    aria-label={`Download CSV: ${caption}`}
    onClick={() => download(`${file}.csv`, toFile(rows, columns))}
  >
    <Icon name="download" /> CSV
  </button>
);

const toFile = (rows: readonly UsageRow[], columns: readonly string[]): string =>
  toCsv([[...columns, ...counts], ...rows.map((row) => [...row.cells, ...counts.map((name) => row[name])])]);

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
