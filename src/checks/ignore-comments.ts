import { toCommentStyle, type CommentStyle } from "./comment-styles.ts";

/** A comment `penknife-ignore RULE REASON`. */
export interface IgnoreComment {
  line: number;
  /** In code points, from 1. */
  column: number;
  /** Lines whose findings it ignores. */
  lines: readonly number[];
  /** Empty if the comment has none. */
  rule: string;
  reason: string;
}

/** The word that begins such a comment. */
export const ignoreWord = "penknife-ignore";

/**
 * Finds the comments of a document, line by line and without parsing it, because the document may be the broken one. A comment
 * begins with a marker of the format at the beginning of a line or after white space, outside quotation marks that are closed on
 * the same line; the word follows it. A comment after a value is for its own line, one that is alone on its line also for the next
 * line. In a text over several lines, such as a block scalar of YAML, a line that looks like a comment is one.
 */
export function findIgnoreComments(name: string, text: string): IgnoreComment[] {
  const style = toCommentStyle(name);
  const lines = text.split(/\r\n|\r|\n/);
  const found: (IgnoreComment & { alone: boolean })[] = [];
  for (const [index, content] of lines.entries()) {
    if (!content.includes(ignoreWord)) continue;
    const comment = findInLine(content, style);
    if (comment === undefined) continue;
    const { at, rest } = comment;
    const [, rule = "", reason = ""] = /^(\S*)\s*([^]*)$/.exec(rest.trim()) ?? [];
    const alone = content.slice(0, at).trim() === "";
    found.push({
      line: index + 1,
      column: Array.from(content.slice(0, at)).length + 1,
      lines: [index + 1],
      rule,
      reason: reason.trim(),
      alone,
    });
  }
  /** For a comment that is alone on its line: the next line that has no such comment, since several may stand above one line. */
  const next = new Map<number, number>();
  for (const { line, alone } of found.toReversed()) if (alone) next.set(line, next.get(line + 1) ?? line + 1);
  return found.map(({ alone, ...comment }) => {
    const { line } = comment;
    return alone ? { ...comment, lines: [line, next.get(line) ?? line] } : comment;
  });
}

/** Returns where the comment begins, and what follows the word. */
function findInLine(
  line: string,
  { markers, whole }: CommentStyle,
): { at: number; rest: string } | undefined {
  let inComment = false;
  for (let at = 0; at < line.length; at++) {
    const before = line[at - 1];
    const afterSpace = before === undefined || /\s/.test(before);
    const marker = afterSpace ? markers.find((one) => line.startsWith(one, at)) : undefined;
    if (marker !== undefined) {
      const rest = afterWord(line.slice(at + marker.length), marker);
      if (rest !== undefined) return { at, rest };
      inComment = true;
    } else if (!inComment && (afterSpace || /[:=,[({]/.test(before))) {
      at = skipQuoted(line, at);
    }
    if (whole === true && !/\s/.test(line[at] ?? "")) return undefined;
  }
  return undefined;
}

const ends = new Map([
  ["/*", "*/"],
  ["<!--", "-->"],
]);

function afterWord(comment: string, marker: string): string | undefined {
  const text = comment.trimStart();
  if (!text.startsWith(ignoreWord) || /^\S/.test(text.slice(ignoreWord.length))) return undefined;
  const rest = text.slice(ignoreWord.length);
  const end = rest.indexOf(ends.get(marker) ?? "\n");
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns the index of the closing quotation mark; `at` itself if there is none, as in `it's`. */
function skipQuoted(line: string, at: number): number {
  const quote = line[at];
  if (quote !== '"' && quote !== "'" && quote !== "`") return at;
  for (let end = at + 1; end < line.length; end++) {
    if (line[end] === quote) return end;
    if (line[end] === "\\" && quote === '"') end++;
  }
  return at;
}
