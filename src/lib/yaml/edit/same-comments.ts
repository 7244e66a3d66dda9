import { isAboutFile } from "./block-units.ts";
import { isCommentedItem } from "./comments.ts";
import type { YamlLayout } from "./layout.ts";
import type { Piece, YamlSource } from "./source.ts";

/**
 * Compares the comments of a source and of its layout. Each must be on its own line or not as before, between the same pieces,
 * and be as deep, deeper or less deep than what follows it. Returns the index, in the source, of the first that is not.
 */
export function findMovedComment(
  before: YamlSource,
  after: YamlSource,
  { indent, sequences }: YamlLayout,
): number | undefined {
  const own = before.pieces.filter(({ type }) => type !== "comma");
  const other = after.pieces.filter(({ type }) => type !== "comma");
  for (const [at, piece] of own.entries()) {
    const twin = other[at];
    if (twin === undefined || kindOf(twin) !== kindOf(piece)) return piece.from;
    if (piece.type !== "comment") continue;
    if (textOf(before, piece) !== textOf(after, twin)) return piece.from;
    if (isOwnLine(piece) !== isOwnLine(twin)) return piece.from;
    const was = relation(own, at);
    const is = relation(other, at);
    // Nothing is less deep than a document, which may have been indented.
    const isLeast = was < 0 && is === 0 && twin.column === 0;
    // A comment that was at the column of a sequence is now also at the column of its key.
    const isFlush = sequences === "flush" && was > 0 && is === 0;
    // The text of a block scalar is one space deeper than its key: a comment below it has no column between them.
    const isBelowText = indent === 1 && was > 0 && is === 0 && followsText(own, at);
    // A commented item below a sequence at the column of its key goes with the sequence.
    const isItem = sequences === "indented" && was === 0 && is > 0 && followsItem(before, own, at);
    if (was !== is && !isLeast && !isFlush && !isBelowText && !isItem) return piece.from;
  }
  return own.length === other.length ? undefined : before.pieces.at(-1)?.from;
}

/**
 * Compares the comments of a source and of one with sorted keys. A comment above a key must still be above it, and one behind a
 * value behind it. Returns the index, in the source, of the first that is not.
 */
export function findUnsortedComment(before: YamlSource, after: YamlSource): number | undefined {
  const left = new Map<string, number>();
  for (const { name } of describe(after)) left.set(name, (left.get(name) ?? 0) + 1);
  for (const { name, from } of describe(before)) {
    const count = left.get(name) ?? 0;
    if (count === 0) return from;
    left.set(name, count - 1);
  }
  return undefined;
}

const textOf = ({ text }: YamlSource, { from, to }: Piece): string => text.slice(from, to);

/** Quotes can have been changed for others. */
const kindOf = ({ type }: Piece): string => type.replace(/^(?:single|double)-/, "");

const isOwnLine = ({ lines }: Piece): boolean => lines > 0;

/** Whether the comment is deeper (1), as deep (0) or less deep (-1) than what begins the next line. */
function relation(pieces: readonly Piece[], at: number): number {
  const piece = pieces[at] as Piece;
  let next = at + 1;
  while (pieces[next]?.type === "comment") next++;
  const follower = pieces[next];
  if (!isOwnLine(piece) || follower === undefined || follower.role === "marker") return 0;
  return Math.sign(piece.column - follower.column);
}

function followsText(pieces: readonly Piece[], at: number): boolean {
  let before = at;
  while (pieces[before]?.type === "comment") before--;
  return pieces[before]?.type === "block-scalar";
}

/** Whether a comment belongs to lines directly below a list, of which the first is a commented item. */
function followsItem(source: YamlSource, pieces: readonly Piece[], at: number): boolean {
  let first = at;
  while (pieces[first - 1]?.type === "comment" && pieces[first]?.lines === 1) first--;
  const piece = pieces[first] as Piece;
  return piece.lines === 1 && isCommentedItem(textOf(source, piece));
}

function describe(source: YamlSource): { name: string; from: number }[] {
  const { pieces } = source;
  return pieces.flatMap((piece, at) => {
    if (piece.type !== "comment") return [];
    const comment = textOf(source, piece);
    const neighbour = isAboutFile(comment) ? undefined : neighbourOf(pieces, at);
    const beside = neighbour === undefined ? "" : textOf(source, neighbour).slice(0, 200);
    return [{ name: `${isOwnLine(piece)} ${comment}\n${beside}`, from: piece.from }];
  });
}

/** Returns the key below a comment without a blank line between, or the piece before it in its line. */
function neighbourOf(pieces: readonly Piece[], at: number): Piece | undefined {
  const piece = pieces[at] as Piece;
  let next = at;
  if (!isOwnLine(piece)) {
    while (pieces[next]?.type === "comment" || pieces[next]?.type === "comma") next--;
    return pieces[next];
  }
  const isNext = ({ type, lines, column }: Piece): boolean =>
    type === "comment" && lines === 1 && column === piece.column;
  do next++;
  while (next < pieces.length && isNext(pieces[next] as Piece));
  const key = pieces[next];
  return key?.lines === 1 && key.column === piece.column && key.role === "entry" ? key : undefined;
}
