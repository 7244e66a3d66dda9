import type { YamlLayout } from "./layout.ts";
import type { Level, Piece, YamlSource } from "./source.ts";

/** The columns of the result, found from its start to its end. */
export interface Columns {
  /** The column behind the last piece that was written. */
  column(): number;
  /** Continues behind a piece and the white space before it. */
  advance(gap: string, body: string): void;
  /** Returns the column of a piece that begins a line, and places the levels that begin with it. */
  open(index: number): number;
  /** Places the levels that begin with a piece in a line, at a column. */
  openInLine(index: number, column: number): void;
  /** The column of a level: of its entries, or of the line that a flow collection begins on. */
  of(level: Level): number;
  /** The column of what stands on lines of its own in a level, deeper than the level. */
  below(level: Level): number;
  /** The outermost level that begins with a piece. */
  begunAt(index: number): (Level & { parent: Level }) | undefined;
}

export const isFlow = ({ kind }: Level): boolean => kind === "flow-map" || kind === "flow-seq";

export function createColumns({ pieces }: YamlSource, { indent, sequences, lineWidth }: YamlLayout): Columns {
  const known = new Map<Level, number>();
  let column = 0;
  /** The column of the line that is being written. */
  let lineColumn = 0;

  const of = (level: Level): number => known.get(level) ?? 0;

  const below = (level: Level): number => {
    if (level.kind === "document") return 0;
    return of(level) + (level.kind === "seq" ? dash : indent);
  };

  const begunAt = (index: number): (Level & { parent: Level }) | undefined => {
    let found: Level | undefined;
    for (
      let level: Level | undefined = pieces[index]?.level;
      level?.first === index && level.parent;
      level = level.parent
    )
      found = level;
    return found as (Level & { parent: Level }) | undefined;
  };

  /** Returns the column of a flow collection that begins in the line of its key or its `-`. */
  const flowColumn = (level: Level, parent: Level): number => {
    if (isFlow(parent)) return lineColumn;
    if (parent.kind === "document") return 0;
    const end = pieces[level.last] as Piece;
    const deep = end.lines > 0 && end.column > (pieces[parent.first]?.column ?? 0);
    return deep || lineWidth > 0 ? below(parent) : of(parent);
  };

  const place = (index: number, begins: number | undefined, inLine: number): void => {
    const begun: Level[] = [];
    let level = pieces[index]?.level;
    for (; level?.first === index && level.parent; level = level.parent)
      if (!known.has(level)) begun.unshift(level);
    for (const one of begun)
      known.set(one, begins ?? (isFlow(one) ? flowColumn(one, one.parent as Level) : inLine));
  };

  const target = (index: number): number => {
    const piece = pieces[index] as Piece;
    const begun = begunAt(index);
    const host = begun?.parent ?? piece.level;
    if (begun !== undefined && !isFlow(begun)) {
      if (known.has(begun)) return of(begun);
      return begun.kind === "seq" && host.kind === "map" && sequences === "flush" ? of(host) : below(host);
    }
    if (isFlow(host)) {
      if (index === host.last) return of(host);
      const { type } = pieces[index - 1] as Piece;
      return below(host) + (type === "map-value-ind" || type === "explicit-key-ind" ? indent : 0);
    }
    if (piece.role === "marker") return 0;
    return piece.role === "entry" ? of(host) : below(host);
  };

  return {
    column: () => column,
    of,
    below,
    begunAt,
    advance(gap, body) {
      const line = gap.lastIndexOf("\n");
      column = line < 0 ? column + gap.length : gap.length - line - 1;
      if (line >= 0) lineColumn = column;
      const last = body.lastIndexOf("\n");
      column = last < 0 ? column + body.length : body.length - last - 1;
    },
    open(index) {
      const begins = target(index);
      place(index, begins, begins);
      return begins;
    },
    openInLine: (index, at) => place(index, undefined, at),
  };
}

/** `- ` */
const dash = 2;
