/**
 * Returns rows as CSV (RFC 4180). Spreadsheets evaluate a cell that begins like a formula, and the names of keys are chosen
 * by others, so such a cell gets an apostrophe before it.
 */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
