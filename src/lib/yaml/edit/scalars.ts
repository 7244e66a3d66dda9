import type { Columns } from "./columns.ts";
import { foldBlock, foldLines } from "./fold.ts";
import type { YamlLayout } from "./layout.ts";
import { headerOf, type Piece, type YamlSource } from "./source.ts";

/**
 * Returns the text of a piece, with its lines at their columns and its quotes as wanted.
 * @param start The column at which the piece begins.
 */
export function toBody(
  source: YamlSource,
  index: number,
  start: number,
  columns: Columns,
  layout: YamlLayout,
): string {
  const piece = source.pieces[index] as Piece;
  const text = source.text.slice(piece.from, piece.to);
  switch (piece.type) {
    case "block-scalar-header":
      return toHeader(source, index, text, columns);
    case "block-scalar":
      return toBlock(source, index, text, columns, layout);
    case "single-quoted-scalar":
    case "double-quoted-scalar":
    case "scalar":
      return toLines(source, index, start, requote(text, layout.quotes), columns, layout);
    default:
      return text;
  }
}

/**
 * The indentation of the lines of a block scalar, in the source and in the result. `index` is that of its lines; that of its
 * header if it has an indicator.
 */
export function blockIndent(
  source: YamlSource,
  index: number,
  columns: Columns,
): { from: number; to: number } {
  const { text, pieces } = source;
  const { from, to, level } = headerOf(source, index);
  const digit = /\d/.exec(text.slice(from, to))?.[0];
  const outer = level.kind === "document" ? 0 : (pieces[level.first]?.column ?? 0);
  const written = digit === undefined ? indentOfLines(text, pieces[index] as Piece) : outer + Number(digit);
  if (level.kind === "document" && written < Infinity) return { from: written, to: written };
  // An indicator has one digit.
  const deepest = digit === undefined ? Infinity : columns.of(level) + 9;
  return { from: written, to: Math.min(columns.below(level), deepest) };
}

/** The indentation of the first line that is not blank; without one, no white space is content. */
function indentOfLines(text: string, { from, to }: Piece): number {
  let start = from;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a) start = at + 1;
    else if (unit !== 0x20 && unit !== 0x0d) return at - start;
  }
  return Infinity;
}

/** YAML 1.2.2 §8.1.1.1: the digit is the indentation relative to that of the parent. */
function toHeader(source: YamlSource, index: number, text: string, columns: Columns): string {
  const { level } = source.pieces[index] as Piece;
  if (!/\d/.test(text) || level.kind === "document") return text;
  return text.replace(/\d/, String(blockIndent(source, index, columns).to - columns.of(level)));
}

function toBlock(
  source: YamlSource,
  index: number,
  text: string,
  columns: Columns,
  layout: YamlLayout,
): string {
  const { from, to } = blockIndent(source, index, columns);
  const pad = " ".repeat(to);
  const lines = text
    .split("\n")
    .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
    .map((line) => (/^ *$/.test(line) ? line.slice(from) : line.slice(Math.min(from, indentOf(line)))));
  const folded = layout.lineWidth > 0 && source.text[headerOf(source, index).from] === ">";
  const body = folded ? foldBlock(lines, layout.lineWidth - to) : lines;
  return body.map((line) => (line === "" ? "" : pad + line)).join("\n");
}

const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

function toLines(
  { pieces }: YamlSource,
  index: number,
  start: number,
  text: string,
  columns: Columns,
  { lineWidth }: YamlLayout,
): string {
  const piece = pieces[index] as Piece;
  const wraps = lineWidth > 0 && piece.role !== "entry" && pieces[index + 1]?.type !== "map-value-ind";
  const many = text.includes("\n");
  if (!many && !(wraps && start + text.length > lineWidth)) return text;
  const lines = text.split("\n");
  // At the start of a line these would end the document.
  const isMark = (line: string): boolean => /^[ \t]*(?:---|\.\.\.)/.test(line);
  const column = columns.below(piece.level) || (lines.some(isMark) ? 1 : 0);
  const last = lines.length - 1;
  const trimmed = lines.map((line, at) =>
    line.slice(
      at === 0 ? 0 : countWhite(line),
      at === last ? undefined : contentEnd(line, piece.type === "double-quoted-scalar"),
    ),
  );
  const wanted = wraps ? foldLines(trimmed, start, column, lineWidth) : trimmed;
  const pad = " ".repeat(column);
  return wanted.map((line, at) => (at === 0 || line === "" ? line : pad + line)).join("\n");
}

const isWhite = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d;

function countWhite(line: string): number {
  let count = 0;
  while (isWhite(line.charCodeAt(count))) count++;
  return count;
}

/** White space before a line end is not content, except what a backslash escapes. */
function contentEnd(line: string, escapes: boolean): number {
  let end = line.length;
  while (isWhite(line.charCodeAt(end - 1))) end--;
  let slashes = 0;
  while (escapes && line.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
  const rest = line.endsWith("\r") ? line.length - 1 : line.length;
  return slashes % 2 === 1 && end < rest ? end + 1 : end;
}

/** Changes quotes where the content needs no escape in either form. */
function requote(text: string, quotes: YamlLayout["quotes"]): string {
  const inner = text.slice(1, -1);
  if (quotes === "double" && text.startsWith("'") && !/["\\]/.test(inner))
    return `"${inner.replaceAll("''", "'")}"`;
  if (quotes === "single" && text.startsWith('"') && !/['\\]/.test(inner)) return `'${inner}'`;
  return text;
}
