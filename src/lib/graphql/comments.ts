import type { DocumentNode, Token } from "graphql";

/** A comment, with its `#`, and its offsets in the text. */
export interface Comment {
  text: string;
  start: number;
  end: number;
}

/** The comments of a document, taken from its beginning to its end. Offsets are in UTF-16 code units. */
export interface Comments {
  /** Takes those before an offset. */
  takeBefore(offset: number): Comment[];
  /** Takes the comment on the line that ends with the token at that offset. */
  takeBehind(offset: number): string | undefined;
  /** Takes the comment behind an opening brace, on its line, before the first item of the block. */
  takeBehindBrace(first: number): string | undefined;
  /** Whether one that is not taken stands between two offsets. */
  isBetween(from: number, to: number): boolean;
  /** Whether the line above that of the offset is blank. */
  hasBlankLine(offset: number): boolean;
  /** Returns the offset of the token that follows a token; `end` is where the latter ends. */
  closing(end: number): number;
  /** Writes comments, one a line, with a blank line where the text has one between two of them or before what follows them. */
  linesOf(taken: readonly Comment[], next: number): string[];
}

export function readComments(document: DocumentNode, text: string): Comments {
  const comments: Comment[] = [];
  const tokens: { start: number; end: number; isBrace: boolean }[] = [];
  for (let token: Token | null | undefined = document.loc?.startToken; token; token = token.next) {
    if (token.kind === "Comment")
      comments.push({
        text: text.slice(token.start, token.end).trimEnd(),
        start: token.start,
        end: token.end,
      });
    else tokens.push({ start: token.start, end: token.end, isBrace: token.kind === "{" });
  }
  let next = 0;
  const isSameLine = (from: number, to: number): boolean => !/[\r\n]/.test(text.slice(from, to));
  const hasBlankLine = (offset: number): boolean =>
    /\n[ \t,]*\r?\n[ \t,]*$|\r[ \t,]*\r[ \t,]*$/.test(text.slice(Math.max(0, offset - 500), offset));
  const takeIf = (isWanted: (comment: Comment) => boolean): string | undefined => {
    const comment = comments[next];
    if (comment === undefined || !isWanted(comment)) return undefined;
    next++;
    return comment.text;
  };
  /** The first token that begins at the offset or after it. */
  const tokenAt = (offset: number): number => {
    let [low, high] = [0, tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    hasBlankLine,
    takeBefore(offset) {
      const from = next;
      while (next < comments.length && (comments[next]?.start ?? 0) < offset) next++;
      return comments.slice(from, next);
    },
    takeBehind: (offset) =>
      takeIf(
        ({ start }) =>
          start >= offset && isSameLine(offset, start) && !/[^\s,]/.test(text.slice(offset, start)),
      ),
    takeBehindBrace(first) {
      const brace = tokens[tokenAt(first) - 1];
      if (brace?.isBrace !== true) return undefined;
      return takeIf(({ start }) => start >= brace.end && start < first && isSameLine(brace.end, start));
    },
    isBetween(from, to) {
      for (let at = next; at < comments.length && (comments[at]?.start ?? 0) < to; at++)
        if ((comments[at]?.start ?? 0) >= from) return true;
      return false;
    },
    closing: (end) => tokens[tokenAt(end)]?.start ?? end,
    linesOf: (taken, after) =>
      taken.flatMap(({ text: comment }, at) => {
        const follows = taken[at + 1]?.start ?? after;
        return follows !== Infinity && hasBlankLine(follows) && follows > (taken[at]?.end ?? 0)
          ? [comment, ""]
          : [comment];
      }),
  };
}
