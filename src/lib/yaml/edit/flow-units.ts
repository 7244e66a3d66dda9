import type { Entry, Level, Piece, YamlSource } from "./source.ts";
import type { Part } from "./sort-keys.ts";

/**
 * Puts the entries of a flow map in a new order, which lists their present positions. Returns undefined if a comment stands where
 * it could belong to either of two entries.
 */
export function flowUnits(
  source: YamlSource,
  level: Level,
  order: readonly number[],
): { from: number; to: number; parts: Part[] } | undefined {
  const { entries } = level;
  const first = entries[0] as Entry;
  const last = entries.at(-1) as Entry;
  if (hasComments(source, level)) return unitsWithComments(source, level, order);
  const { text } = source;
  const parts = order.flatMap((position, at): Part[] => {
    const unit = rangeOf(source, entries[position] as Entry);
    const next = entries[at + 1];
    if (next === undefined) return [unit];
    return [unit, text.slice(rangeOf(source, entries[at] as Entry).to, rangeOf(source, next).from)];
  });
  return { from: rangeOf(source, first).from, to: rangeOf(source, last).to, parts };
}

const rangeOf = ({ pieces }: YamlSource, { first, end }: Pick<Entry, "first" | "end">) => ({
  from: (pieces[first] as Piece).from,
  to: (pieces[end - 1] as Piece).to,
});

/** Reports whether there is a comment between the entries. */
function hasComments({ pieces }: YamlSource, { first, last, entries }: Level): boolean {
  const starts = [...entries.map((entry) => entry.first), last];
  return starts.some((start, at) => {
    const from = entries[at - 1]?.end ?? first;
    return pieces.slice(from, start).some(({ type }) => type === "comment");
  });
}

/** The comments above an entry and behind its comma move with it. */
function unitsWithComments(
  source: YamlSource,
  level: Level,
  order: readonly number[],
): { from: number; to: number; parts: Part[] } | undefined {
  const { pieces } = source;
  const typeAt = (index: number): string | undefined => pieces[index]?.type;
  let start = level.first + 1;
  while (typeAt(start) === "comment" && pieces[start]?.lines === 0) start++;
  const units: { start: number; end: number; comment: number | undefined }[] = [];
  for (const { first, end } of level.entries) {
    if (pieces.slice(start, first).some(({ type }) => type !== "comment")) return undefined;
    const after = typeAt(end) === "comma" ? end + 1 : end;
    const comment = typeAt(after) === "comment" && pieces[after]?.lines === 0 ? after : undefined;
    // A comment before the comma.
    if (after === end && end !== level.last && comment === undefined && typeAt(end) !== "comment")
      return undefined;
    units.push({ start, end, comment });
    start = comment === undefined ? after : comment + 1;
  }
  const trails = typeAt(start - 1) === "comma" || units.at(-1)?.comment !== undefined;
  const lineOf = (index: number): string => `\n${" ".repeat((pieces[index] as Piece).column)}`;
  const parts: Part[] = order.flatMap((position, at): Part[] => {
    const { start: head, end, comment } = units[position] as (typeof units)[number];
    const comma = at < order.length - 1 || trails ? "," : "";
    const parted: Part[] = [lineOf(head), rangeOf(source, { first: head, end }), comma];
    return comment === undefined
      ? parted
      : [...parted, " ", rangeOf(source, { first: comment, end: comment + 1 })];
  });
  const opening = pieces[(units[0]?.start ?? 1) - 1] as Piece;
  const rest = pieces[start] as Piece;
  return {
    from: opening.to,
    to: rest.from,
    parts: [...parts, lineOf(rest.lines > 0 ? start : (units[0]?.start ?? start))],
  };
}
