import { headerOf, type Level, type Piece, type YamlSource } from "./source.ts";
import type { Part } from "./sort-keys.ts";

/** An entry of a block map with its comments, as indexes of pieces; `end` is behind it. */
export interface Unit {
  readonly start: number;
  readonly end: number;
}

/** Puts the entries of a block map in a new order, which lists their present positions. */
export function blockUnits(
  source: YamlSource,
  level: Level,
  order: readonly number[],
): { from: number; to: number; parts: Part[] } {
  const { text, pieces } = source;
  const units = findUnits(source, level);
  const fromOf = ({ start }: Unit): number => (pieces[start] as Piece).from;
  const toOf = ({ end }: Unit): number => (pieces[end - 1] as Piece).to;
  const first = pieces[(units[0] as Unit).start] as Piece;
  // The entry behind a dash begins in its line.
  const inLine = first.lines === 0;
  const indentOf = ({ start }: Unit): string => " ".repeat((pieces[start] as Piece).column);
  const parts: Part[] = [];
  let before: Unit | undefined;
  for (const position of order) {
    const unit = units[position] as Unit;
    const previous = units[position - 1];
    if (before === undefined) {
      if (!inLine) parts.push(indentOf(unit));
      else if (pieces[unit.start]?.type === "comment") parts.push(`\n${indentOf(unit)}`);
    } else if (previous === undefined || keepsLines(source, before)) {
      // A blank line would be a part of a block scalar that keeps them.
      parts.push(`\n${indentOf(unit)}`);
    } else parts.push(text.slice(text.indexOf("\n", toOf(previous)), fromOf(unit)));
    parts.push({ from: fromOf(unit), to: toOf(unit) });
    before = unit;
  }
  const end = text.indexOf("\n", toOf(units.at(-1) as Unit));
  return {
    from: inLine ? first.from : first.from - first.column,
    to: end < 0 ? text.length : end,
    parts: end < 0 ? [...parts, "\n"] : parts,
  };
}

/** Returns the entries of a block map with the comments that belong to each. */
function findUnits(source: YamlSource, level: Level): Unit[] {
  const { pieces } = source;
  const { column } = pieces[level.first] as Piece;
  let start = findHead(source, level, column);
  return level.entries.map(({ end: last }, position) => {
    const next = level.entries[position + 1]?.first ?? pieces.length;
    let end = last;
    for (; end < next; end++) {
      const piece = pieces[end] as Piece;
      if (piece.type !== "comment" || (piece.lines > 0 && piece.column <= column)) break;
    }
    const unit = { start, end };
    start = end;
    return unit;
  });
}

/** Comments above the first key that no blank line separates from it belong to it; others are about the whole map. */
function findHead({ text, pieces }: YamlSource, level: Level, column: number): number {
  let head = level.first;
  while (head > 0 && pieces[head]?.lines === 1) {
    const above = pieces[head - 1] as Piece;
    if (above.type !== "comment" || above.column !== column || above.lines === 0) break;
    if (isAboutFile(text.slice(above.from, above.to))) break;
    head--;
  }
  return head;
}

/** Modelines of editors, the schema of a language server, and what yamllint reads as being about the rest of the file. */
export const isAboutFile = (comment: string): boolean =>
  /^#+ *(?:yaml-language-server:|vim?:|ex:|-\*-|yamllint (?:disable|enable)(?!-line))/.test(comment);

/** YAML 1.2.2 §8.1.1.2: with `+`, the blank lines behind a block scalar are in it. */
function keepsLines(source: YamlSource, { end }: Unit): boolean {
  if (source.pieces[end - 1]?.type !== "block-scalar") return false;
  const { from, to } = headerOf(source, end - 1);
  return source.text.slice(from, to).includes("+");
}
