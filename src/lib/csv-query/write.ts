import { writeRecords } from "../csv/write.ts";
import { inferValue } from "../data/infer.ts";
import { checkLength } from "../data/result-length.ts";
import { type Dictionary, toNumber, type Value } from "../data/value.ts";
import { exactText } from "../number/arithmetic.ts";
import { countPoints } from "../text/count-points.ts";
import type { Table } from "./table.ts";
import { type CellValue, numberOf, textOf } from "./values.ts";

/** The rows as maps. Numbers that were computed are numbers; with `infer`, so are cells that can be nothing else. */
export const toRecords = ({ columns, rows }: Table, infer: boolean): Dictionary[] =>
  rows.map(({ cells }) => new Map(columns.map((name, at) => [name, toValue(cells[at] ?? "", infer)])));

function toValue(cell: CellValue, infer: boolean): Value {
  if (typeof cell === "object") return toNumber(exactText(cell));
  return infer && typeof cell === "string" ? inferValue(cell) : cell;
}

/** Writes a table as CSV, with a header. */
export function writeTableCsv(table: Table, delimiter: string): string {
  if (table.columns.length === 0) return "";
  return writeRecords(toRecords(table, false), {
    delimiter,
    quote: '"',
    header: true,
    columns: table.columns,
    eol: "lf",
    flatten: false,
    escapeFormulas: false,
    bom: false,
    quoteAll: false,
    emptyRecords: "fill",
  });
}

/** Writes a table of GitHub Flavored Markdown; columns of numbers are aligned to the right. */
export function writeMarkdown(table: Table): string {
  const escape = (text: string): string =>
    text
      .replaceAll("\\", "\\\\")
      .replaceAll("|", "\\|")
      .replace(/\r\n|[\r\n]/g, "<br>");
  return writeAligned(table, escape, {
    start: "| ",
    between: " | ",
    end: " |",
    rule: (width, right) => (right ? `${"-".repeat(width - 1)}:` : "-".repeat(width)),
  });
}

/** Writes a table for a terminal: columns two spaces apart. */
export const writeText = (table: Table): string =>
  writeAligned(table, (text) => text.replace(/[\r\n\t]+/g, " "), {
    start: "",
    between: "  ",
    end: "",
    rule: (width) => "-".repeat(width),
  })
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");

interface Frame {
  start: string;
  between: string;
  end: string;
  rule(width: number, right: boolean): string;
}

/** Widths are counted in code points. */
function writeAligned({ columns, rows }: Table, escape: (text: string) => string, frame: Frame): string {
  if (columns.length === 0) return "";
  const header = columns.map(escape);
  const lines = rows.map(({ cells }) => columns.map((_, at) => escape(textOf(cells[at] ?? ""))));
  const widths = header.map((name) => Math.max(3, countPoints(name)));
  const right = columns.map(
    (_, at) => rows.length > 0 && rows.every(({ cells }) => isNumber(cells[at] ?? "")),
  );
  for (const line of lines)
    for (const [at, text] of line.entries()) widths[at] = Math.max(widths[at] as number, countPoints(text));
  // Before it is written: one long cell makes every line as long.
  checkLength(widths.reduce((sum, width) => sum + width + 4, 4) * (lines.length + 2));
  const join = (parts: readonly string[]): string => frame.start + parts.join(frame.between) + frame.end;
  const pad = (text: string, at: number): string => {
    const space = " ".repeat((widths[at] as number) - countPoints(text));
    return right[at] === true ? space + text : text + space;
  };
  return [header, ...lines]
    .map((line) => join(line.map(pad)))
    .toSpliced(1, 0, join(widths.map((width, at) => frame.rule(width, right[at] === true))))
    .join("\n");
}

const isNumber = (cell: CellValue): boolean => cell === "" || numberOf(cell) !== undefined;
