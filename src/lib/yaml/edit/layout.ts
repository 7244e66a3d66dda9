import { checkLength } from "../../data/result-length.ts";
import { createColumns, type Columns } from "./columns.ts";
import { placeComments } from "./comments.ts";
import type { Edit } from "../../edit/replace.ts";
import { createFlows, type Flows } from "./flows.ts";
import { spaceBetween } from "./gaps.ts";
import { toBody } from "./scalars.ts";
import type { Piece, YamlSource } from "./source.ts";

export interface YamlLayout {
  /** Spaces per level, 1 to 10. */
  indent: number;
  /** Column at which strings and flow collections are wrapped; 0 keeps their lines as written. */
  lineWidth: number;
  /** Writes spaces inside of the braces of flow maps. */
  bracketSpacing: boolean;
  /** The quotes of strings that can have either without an escape. */
  quotes: "preserve" | "double" | "single";
  /** Whether a sequence in a map is indented, or stands at the column of its key. */
  sequences: "indented" | "flush";
  /** Most blank lines in a row that are kept. */
  blankLines: number;
}

/**
 * Returns the edits that lay out a stream. White space changes, and the lines and the quotes of strings; the order stays.
 * @throws DocumentFault if they are larger than a result can be.
 */
export function layOut(source: YamlSource, layout: YamlLayout): Edit[] {
  const { pieces, text } = source;
  const columns = createColumns(source, layout);
  const page: Page = {
    source,
    layout,
    edits: [],
    length: 0,
    columns,
    flows: createFlows(source, layout, columns),
  };
  for (let at = 0; at < pieces.length;) {
    let next = at;
    while (pieces[next]?.type === "comment" && (pieces[next]?.lines ?? 0) > 0) next++;
    if (next > at) writeComments(page, at, next);
    else writePiece(page, at);
    at = Math.max(next, at + 1);
  }
  replace(page, pieces.at(-1)?.to ?? source.start, text.length, pieces.length === 0 ? "" : "\n");
  return page.edits;
}

interface Page {
  readonly source: YamlSource;
  readonly layout: YamlLayout;
  readonly edits: Edit[];
  /** Characters in the edits. */
  length: number;
  readonly columns: Columns;
  readonly flows: Flows;
}

function replace(page: Page, from: number, to: number, text: string): void {
  if (to - from === text.length && page.source.text.startsWith(text, from)) return;
  page.edits.push({ from, to, text });
  page.length += text.length;
  // Indentation can be a thousand times as long as what it indents.
  checkLength(page.length);
}

function write(page: Page, index: number, gap: string, body: string): void {
  const piece = page.source.pieces[index] as Piece;
  replace(page, page.source.pieces[index - 1]?.to ?? page.source.start, piece.from, gap);
  replace(page, piece.from, piece.to, body);
  page.columns.advance(gap, body);
}

function writeComments(page: Page, from: number, to: number): void {
  const { source, layout, columns } = page;
  const places = placeComments(source, columns, layout.indent, from, to);
  for (const [at, column] of places.entries()) {
    const piece = source.pieces[from + at] as Piece;
    write(page, from + at, lineGap(page, from + at, column), source.text.slice(piece.from, piece.to));
  }
}

function writePiece(page: Page, index: number): void {
  const { source, layout, columns, flows } = page;
  const { text, pieces } = source;
  const piece = pieces[index] as Piece;
  const before = pieces[index - 1];
  if (piece.type === "block-scalar") {
    write(page, index, "\n", toBody(source, index, 0, columns, layout));
    return;
  }
  if (flows.isSpare(index)) {
    write(page, index, "", "");
    return;
  }
  if (before === undefined || startsLine(page, index)) {
    const column = columns.open(index);
    write(page, index, lineGap(page, index, column), toBody(source, index, column, columns, layout));
    return;
  }
  const gap = spaceBetween(text, before, piece, layout.bracketSpacing);
  const start = columns.column() + gap.length;
  columns.openInLine(index, start);
  write(page, index, gap, toBody(source, index, start, columns, layout));
}

function lineGap({ source, layout }: Page, index: number, column: number): string {
  const lines = source.pieces[index]?.lines ?? 0;
  const breaks = index === 0 ? 0 : 1 + Math.min(Math.max(lines - 1, 0), layout.blankLines);
  return "\n".repeat(breaks) + " ".repeat(column);
}

function startsLine(page: Page, index: number): boolean {
  const { pieces } = page.source;
  const { lines } = pieces[index] as Piece;
  const before = pieces[index - 1] as Piece;
  if (before.type === "comment" || before.type === "block-scalar") return true;
  const broken = page.flows.breaks(index);
  if (broken !== undefined) return broken;
  return lines > 0 && !joins(page, index);
}

/** Reports whether a value moves up to the line of its `-`, or to that of its key if it is short. */
function joins({ source, layout, columns }: Page, index: number): boolean {
  const { text, pieces } = source;
  const piece = pieces[index] as Piece;
  const before = pieces[index - 1] as Piece;
  const begun = columns.begunAt(index);
  const host = begun === undefined ? piece.level : begun.parent;
  if (host !== before.level) return false;
  if (before.type === "seq-item-ind") return begun !== undefined || piece.role === "value";
  if (before.type !== "map-value-ind" || piece.role !== "value" || host.kind !== "map") return false;
  // Wrapping decides how many lines a string has.
  if (layout.lineWidth > 0 && isString(piece)) return true;
  switch (piece.type) {
    case "block-scalar-header":
      return true;
    case "alias":
    case "scalar":
    case "single-quoted-scalar":
    case "double-quoted-scalar":
    case "template":
    case "flow-map-start":
    case "flow-seq-start": {
      const end = begun === undefined ? piece.to : (pieces[begun.last] as Piece).to;
      const width = layout.lineWidth === 0 ? maxLine : layout.lineWidth;
      return columns.column() + 1 + end - piece.from <= width && !text.slice(piece.from, end).includes("\n");
    }
    default:
      return false;
  }
}

const isString = ({ type }: Piece): boolean =>
  type === "scalar" || type === "single-quoted-scalar" || type === "double-quoted-scalar";

/** Longer values stay on a line of their own, where linters accept them. */
const maxLine = 80;
