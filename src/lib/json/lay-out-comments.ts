import type { LineWriter } from "./lay-out-writer.ts";
import type { Layout } from "./lay-out.ts";
import type { Tokens } from "./tokens.ts";

export interface Comment {
  text: string;
  line: boolean;
  /** Line breaks before it. */
  breaks: number;
}

/** Reads and writes the comments of a document. */
export interface Comments {
  /** Reads the comments up to the next other token. */
  gather(): Comment[];
  write(comment: Comment): void;
  /** Writes comments on the line of the token before them. */
  trail(comments: readonly Comment[]): void;
  /** Writes comments before the token that follows, the first at the place reached. */
  lead(comments: readonly Comment[], from: number): void;
  /** Writes comments on lines of their own. */
  stack(comments: readonly Comment[]): void;
  /** Returns how many comments stand on the line of the token before them; `sure` of them do in any case. */
  countTrailing(comments: readonly Comment[], sure: number): number;
}

export function createComments(text: string, tokens: Tokens, writer: LineWriter, layout: Layout): Comments {
  const { write, newLine, margin } = writer;
  const compact = layout.indent === 0;
  const drops = layout.scalars === "plain";

  function writeComment({ text: raw, line }: Comment): void {
    if (line) return write(compact ? `${raw.trimEnd()}\n` : raw.trimEnd());
    const lines = raw.split(/\r\n|[\r\n]/);
    const starred = lines.slice(1).every((next) => /^\s*\*/.test(next));
    write(starred && !compact ? lines.map((next) => next.trim()).join(`\n${margin()} `) : lines.join("\n"));
  }

  return {
    gather() {
      const comments: Comment[] = [];
      for (; tokens.kind === "/"; tokens.next()) {
        if (drops) continue;
        const line = text[tokens.from + 1] === "/";
        comments.push({ text: text.slice(tokens.from, tokens.to), line, breaks: tokens.breaks });
      }
      return comments;
    },
    write: writeComment,
    trail(comments) {
      for (const one of comments) {
        if (!compact) write(" ");
        writeComment(one);
      }
    },
    lead(comments, from) {
      for (let at = from; at < comments.length; at++) {
        const one = comments[at] as Comment;
        writeComment(one);
        const breaks = comments[at + 1]?.breaks ?? tokens.breaks;
        if (one.line || breaks > 0) newLine(breaks > 1);
        else if (!compact) write(" ");
      }
    },
    stack(comments) {
      for (const one of comments) {
        newLine(one.breaks > 1);
        writeComment(one);
      }
    },
    countTrailing(comments, sure) {
      let count = 0;
      while (count < comments.length && (count < sure || comments[count]?.breaks === 0)) count++;
      const last = comments[count - 1];
      // Block comments between two tokens of one line belong to the second.
      if (count === comments.length && tokens.breaks === 0 && last?.line === false) return sure;
      return count;
    },
  };
}

/** Comments between a value and its comma belong to the value. */
export function countSure(comments: readonly Comment[]): number {
  let sure = 0;
  while (comments[sure]?.breaks === 0) sure++;
  return sure;
}
