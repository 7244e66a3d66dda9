import { type Columns, isFlow } from "./columns.ts";
import { blockIndent } from "./scalars.ts";
import type { Level, Piece, YamlSource } from "./source.ts";

/** A column of the source and what becomes of it. */
interface Stop {
  readonly from: number;
  readonly to: number;
  /** Undefined for the lines of a block scalar, which a comment must not reach. */
  readonly level: Level | undefined;
}

/**
 * Returns the columns of comments on lines of their own. A comment keeps its relation to what is around it: one at the column of
 * a level stays there, one between two levels or deeper than all stays between or deeper.
 */
export function placeComments(
  source: YamlSource,
  columns: Columns,
  indent: number,
  from: number,
  to: number,
): number[] {
  const { pieces } = source;
  const comments = pieces.slice(from, to);
  const next = pieces[to];
  const target = next === undefined ? 0 : columns.open(to);
  const { level } = comments[0] as Piece;
  if (isFlow(level)) return placeInFlow(comments, columns, level, next, target);
  const stops = findStops(source, columns, from, to, target);
  const places: number[] = [];
  for (let start = 0; start < comments.length;) {
    let end = start + 1;
    while (comments[end]?.lines === 1) end++;
    placeGroup(source, stops, comments.slice(start, end), next, target, indent, places);
    start = end;
  }
  return places;
}

/** The levels that are open behind the piece before the comments, the outermost first, and that of the piece behind them. */
function findStops(
  source: YamlSource,
  columns: Columns,
  from: number,
  to: number,
  target: number,
): readonly Stop[] {
  const { pieces } = source;
  const stops: Stop[] = [];
  let last = from - 1;
  while (pieces[last]?.type === "comment") last--;
  for (let level = pieces[last]?.level; level !== undefined; level = level.parent) {
    if (isFlow(level) || level.kind === "document") continue;
    stops.push({ from: pieces[level.first]?.column ?? 0, to: columns.of(level), level });
  }
  stops.reverse();
  if (pieces[last]?.type === "block-scalar") {
    const { from: written, to: placed } = blockIndent(source, last, columns);
    stops.push({ from: written, to: placed, level: undefined });
  }
  const next = pieces[to];
  if (next === undefined || next.role === "marker" || next.column < (stops.at(-1)?.from ?? 0)) return stops;
  const isOpen = next.role === "entry" && stops.some(({ level }) => level === next.level);
  if (!isOpen) stops.push({ from: next.column, to: target, level: next.level });
  return stops;
}

/** Whether a comment is an item of a list, as one that was commented out. */
export const isCommentedItem = (comment: string): boolean => /^#+ *-(?: |$)/.test(comment);

/** Places comments that no blank line separates. */
function placeGroup(
  source: YamlSource,
  stops: readonly Stop[],
  group: readonly Piece[],
  next: Piece | undefined,
  target: number,
  indent: number,
  places: number[],
): void {
  const deepest = stops.at(-1);
  let least = Infinity;
  for (const { column } of group) {
    if (deepest !== undefined && column <= deepest.from) break;
    least = Math.min(least, column);
  }
  const floor = deepest === undefined ? 0 : deepest.to + (deepest.level?.kind === "seq" ? 2 : indent);
  const isItem = isCommentedItem(source.text.slice(group[0]?.from, group[0]?.to));
  // Directly below a sequence at the column of its key it is an item of that, and not a note about the next key.
  const isOfList = (column: number): boolean =>
    isItem &&
    group[0]?.lines === 1 &&
    next?.level.kind !== "seq" &&
    stops.some(({ from, level }) => from === column && level?.kind === "seq");
  let before: { from: number; to: number } | undefined;
  for (const { column } of group) {
    let place: number;
    if (column === next?.column && next.role !== "marker" && !isOfList(column)) place = target;
    else if (deepest === undefined || column > deepest.from) {
      // Lines of one comment move together.
      const moved = before === undefined ? floor + column - least : before.to + column - before.from;
      place = Math.max(moved, deepest === undefined ? 0 : deepest.to + 1);
    } else place = placeAmong(stops, column, isItem);
    // Between two levels that have become neighbours there is no column: the comment stays less deep than what follows.
    if (next !== undefined && next.role !== "marker" && column < next.column && place >= target)
      place = Math.max(0, target - 1);
    before = { from: column, to: place };
    places.push(place);
  }
}

/** The column of a comment that is no deeper than the deepest level. */
function placeAmong(stops: readonly Stop[], column: number, isItem: boolean): number {
  let low = 0;
  let high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle] as Stop).from < column) low = middle + 1;
    else high = middle;
  }
  const outer = stops[low - 1];
  const found = stops[low] as Stop;
  if (found.from === column) {
    // A sequence can stand at the column of its key.
    const inner = stops[low + 1];
    return isItem && inner?.from === column && inner.level?.kind === "seq" ? inner.to : found.to;
  }
  if (outer === undefined) return Math.min(column, found.to);
  const room = found.to - outer.to - 1;
  if (room > 0) return outer.to + Math.min(column - outer.from, room);
  return found.level === undefined ? outer.to : found.to;
}

function placeInFlow(
  comments: readonly Piece[],
  columns: Columns,
  level: Level,
  next: Piece | undefined,
  target: number,
): number[] {
  const inner = columns.below(level);
  const ends = next !== undefined && next.level === level && target === columns.of(level);
  return comments.map(({ column }) => {
    const over = column - (next?.column ?? 0);
    if (ends) return over > 0 ? inner : target;
    if (over >= 0) return target + over;
    return Math.max(columns.of(level), target - 1);
  });
}
