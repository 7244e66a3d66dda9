import type { Output } from "./host.ts";
import { visible, withoutCommand } from "./visible.ts";

/**
 * Renders rows: aligned with headings on a terminal; without headings and separated by tabs otherwise, for scripts.
 * Control characters are made visible: a tab in a name would add a field.
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  output: Output,
): string {
  const cells = rows.map((row) => row.map(visible));
  if (!output.isTTY) return cells.map((row) => `${withoutCommand(row.join("\t"))}\n`).join("");
  const lines = [headings, ...cells];
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => widthOf(row[column] ?? ""))));
  return lines
    .map(
      (row) =>
        `${withoutCommand(row.map((cell, column) => pad(cell, widths[column] ?? 0)).join("  ")).trimEnd()}\n`,
    )
    .join("");
}

/** Renders one record, a name and a value per line; undefined values are left out. */
export function renderRecord(fields: Readonly<Record<string, string | undefined>>, output: Output): string {
  const rows = Object.entries(fields).filter((row): row is [string, string] => row[1] !== undefined);
  if (!output.isTTY) return rows.map(([name, value]) => `${name}\t${visible(value)}\n`).join("");
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}\n`).join("");
}

const narrowestText = 20;

/** The width of a terminal; 80 where it is unknown, or 0 as for a pseudo-terminal whose size nobody has set. */
export const columnsOf = ({ columns }: Output): number => columns || 80;

/** Lines of at most `width` characters, broken at spaces; a longer word is broken anywhere. */
export const wrap = (text: string, width: number): string[] => {
  const most = Math.max(width, narrowestText);
  const cut = (word: string) =>
    word.length > most ? (word.match(new RegExp(`.{1,${most}}`, "gsu")) ?? []) : word;
  return wrapWords(text.split(" ").flatMap(cut), width);
};

/** The same for words that may contain spaces; none of them is broken. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > Math.max(width, narrowestText)) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map(withoutCommand);
}

const widthOf = (text: string): number => [...text].length;
const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));
