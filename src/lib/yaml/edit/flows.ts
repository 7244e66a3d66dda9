import { type Columns, isFlow } from "./columns.ts";
import { spaceBetween } from "./gaps.ts";
import type { YamlLayout } from "./layout.ts";
import type { Level, Piece, YamlSource } from "./source.ts";

/** The lines of flow collections. */
export interface Flows {
  /** Reports whether a piece in a flow collection begins a line; undefined if it is as written. */
  breaks(index: number): boolean | undefined;
  /** Reports whether a comma is without use: the last one of a collection that ends in its line. */
  isSpare(index: number): boolean;
}

export function createFlows(source: YamlSource, layout: YamlLayout, columns: Columns): Flows {
  const { pieces } = source;
  const width = layout.lineWidth;
  const lengths = width > 0 ? sumLengths(source, layout) : [];
  /** Whether a collection has a line for each item. */
  const broken = new Map<Level, boolean>();

  const isBroken = (level: Level): boolean => {
    const known = broken.get(level);
    if (known !== undefined) return known;
    const { parent, first, last } = level;
    // A key cannot have several lines.
    const isKey = pieces[last + 1]?.type === "map-value-ind";
    const inLine = isKey || (parent !== undefined && isFlow(parent) && broken.get(parent) === false);
    const length = (lengths[last] ?? 0) - (lengths[first] ?? 0);
    const result = !inLine && last > first + 1 && columns.column() + length > width;
    broken.set(level, result);
    return result;
  };

  return {
    breaks(index) {
      if (width === 0) return undefined;
      const { level, type } = pieces[index] as Piece;
      const begins = level.first === index;
      const host = begins ? level.parent : level;
      if (host === undefined || !isFlow(host)) return undefined;
      if (!isBroken(host) || type === "comma" || type === "comment") return false;
      const before = pieces[index - 1] as Piece;
      return (
        index === host.last || index - 1 === host.first || (before.type === "comma" && before.level === host)
      );
    },
    isSpare(index) {
      const { type, level } = pieces[index] as Piece;
      if (type !== "comma" || index + 1 !== level.last) return false;
      return width > 0 ? !isBroken(level) : pieces[index + 1]?.lines === 0;
    },
  };
}

/** Returns the characters up to the end of each piece if all stood on one line; those that cannot count as very many. */
function sumLengths({ text, pieces }: YamlSource, { bracketSpacing }: YamlLayout): number[] {
  let sum = 0;
  return pieces.map((piece, index) => {
    const before = pieces[index - 1];
    const gap = before === undefined ? "" : spaceBetween(text, before, piece, bracketSpacing);
    const isKey = pieces[index + 1]?.type === "map-value-ind";
    sum +=
      gap.length + (piece.type === "comment" ? endless : lengthOf(text.slice(piece.from, piece.to), isKey));
    return sum;
  });
}

const endless = 1_000_000;

/** Lines of a string are joined, except around a blank line or an escaped line end, and in a key. */
function lengthOf(text: string, isKey: boolean): number {
  if (!text.includes("\n")) return text.length;
  if (isKey || /\n[ \t\r]*\n|\\\r?\n/.test(text)) return endless;
  return text.split("\n").reduce((sum, line) => sum + line.trim().length + 1, -1);
}
