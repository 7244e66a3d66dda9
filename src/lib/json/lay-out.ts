import { flatLength, toFlat } from "../data/to-flat.ts";
import { DocumentFault } from "../fault.ts";
import { measureFlat } from "./flat-lengths.ts";
import { plainKey, plainScalar } from "./plain-scalar.ts";
import type { JsonDialect } from "./source.ts";
import { createTokens } from "./tokens.ts";

export interface Layout {
  dialect: JsonDialect;
  /** Columns of a level; 0 puts the document on one line, apart from line comments, which end theirs. */
  indent: number;
  useTabs?: boolean;
  /** Arrays and objects that fit into this many columns stand on one line; 0 gives every item a line. */
  width?: number;
  /** `plain` removes comments and writes scalars as JSON; `commented` only writes scalars as JSON. */
  scalars?: "written" | "plain" | "commented";
  /** Keeps one blank line between items where the document has some. */
  blankLines?: boolean;
  /** In UTF-16 code units. */
  maxLength: number;
}

interface Comment {
  text: string;
  line: boolean;
  breaks: number;
}

interface Frame {
  flat: boolean;
  object: boolean;
}

/**
 * Writes a valid document anew: every comment stays with what it comments on, trailing commas go.
 * @throws DocumentFault if the result is too large, or a scalar has no form in JSON.
 */
export function layOut(text: string, layout: Layout): string {
  const { dialect, indent, useTabs = false, width = 0, scalars = "written", blankLines = false } = layout;
  const compact = indent === 0;
  const lengths = width > 0 && !compact ? measureFlat(createTokens(text, dialect)) : [];
  const unit = useTabs ? "\t" : " ".repeat(indent);
  const tokens = createTokens(text, dialect);
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let ordinal = 0;
  /** Flat parts of the result, and the part that grows. */
  const parts: string[] = [];
  let part = "";
  let written = 0;
  /** Where the line starts, less the columns that tabs take in addition. */
  let lineStart = 0;
  /** Whether a key was written, whose value follows. */
  let afterKey = false;

  tokens.next();
  lead(gather(), 0);
  for (;;) {
    if (tokens.kind === "{" || tokens.kind === "[") {
      if (openContainer()) continue;
    } else {
      const isKey = frame?.object === true && !afterKey;
      write(scalar(text.slice(tokens.from, tokens.to), tokens.from, isKey));
      tokens.next();
      if (isKey) {
        colon();
        continue;
      }
    }
    afterKey = false;
    if (!afterValue()) return parts.join("") + part;
  }

  function write(more: string): void {
    part += more;
    written += more.length;
    if (written > layout.maxLength)
      throw new DocumentFault(
        `The result is larger than ${layout.maxLength} characters. Nesting multiplies the indentation: use less of it, or 0.`,
        {},
        "result-too-large",
      );
    if (part.length < flatLength) return;
    parts.push(toFlat(part));
    part = "";
  }

  function scalar(token: string, index: number, isKey: boolean): string {
    if (scalars === "written" || dialect !== "json5") return token;
    return isKey ? plainKey(token) : plainScalar(token, index);
  }

  /** Reads the comments up to the next other token. */
  function gather(): Comment[] {
    const comments: Comment[] = [];
    for (; tokens.kind === "/"; tokens.next()) {
      if (scalars === "plain") continue;
      const line = text[tokens.from + 1] === "/";
      comments.push({ text: text.slice(tokens.from, tokens.to), line, breaks: tokens.breaks });
    }
    return comments;
  }

  function atClose(): boolean {
    return tokens.kind === "}" || tokens.kind === "]";
  }

  function newLine(blank = false): void {
    if (compact) return;
    write(blank && blankLines ? "\n\n" : "\n");
    lineStart = written - (useTabs ? open.length * (indent - 1) : 0);
    write(unit.repeat(open.length));
  }

  function comment({ text: raw, line }: Comment): void {
    if (line) return write(compact ? `${raw.trimEnd()}\n` : raw.trimEnd());
    const lines = raw.split(/\r\n|[\r\n]/);
    const starred = lines.slice(1).every((next) => /^\s*\*/.test(next));
    const margin = `\n${unit.repeat(open.length)} `;
    write(starred && !compact ? lines.map((next) => next.trim()).join(margin) : lines.join("\n"));
  }

  /** Writes comments on the line of the token before them. */
  function trail(comments: readonly Comment[]): void {
    for (const one of comments) {
      if (!compact) write(" ");
      comment(one);
    }
  }

  /** Writes comments before the token that follows, the first at the place reached. */
  function lead(comments: readonly Comment[], from: number): void {
    for (let at = from; at < comments.length; at++) {
      const one = comments[at] as Comment;
      comment(one);
      const breaks = comments[at + 1]?.breaks ?? tokens.breaks;
      if (one.line || breaks > 0) newLine(breaks > 1);
      else if (!compact) write(" ");
    }
  }

  /** Returns how many comments stand on the line of the token before them; `sure` of them do in any case. */
  function countTrailing(comments: readonly Comment[], sure: number): number {
    let count = 0;
    while (count < comments.length && (count < sure || comments[count]?.breaks === 0)) count++;
    const last = comments[count - 1];
    // Block comments between two tokens of one line belong to the second.
    if (count === comments.length && tokens.breaks === 0 && last?.line === false) return sure;
    return count;
  }

  /** Returns false if the container is empty and therefore already closed. */
  function openContainer(): boolean {
    const object = tokens.kind === "{";
    const length = lengths[ordinal++];
    const column = written - lineStart;
    const flat = frame?.flat === true || (length !== undefined && column + length <= width);
    write(object ? "{" : "[");
    tokens.next();
    const comments = gather();
    const empty = atClose();
    if (empty && comments.length === 0) {
      write(tokens.kind);
      tokens.next();
      return false;
    }
    if (frame !== undefined) open.push(frame);
    else open.push({ flat: false, object: false });
    frame = { flat, object };
    afterKey = false;
    if (empty) {
      closeContainer(comments, comments.length > 0 && comments[0]?.breaks === 0 ? 1 : 0);
      return false;
    }
    if (flat) {
      if (object) write(" ");
      return true;
    }
    const trailing = countTrailing(comments, 0);
    trail(comments.slice(0, trailing));
    newLine();
    lead(comments, trailing);
    return true;
  }

  /** Writes the comments before a closing bracket, and the bracket. */
  function closeContainer(comments: readonly Comment[], sure: number): void {
    const { flat, object } = frame as Frame;
    let at = 0;
    while (at < comments.length && (at < sure || comments[at]?.breaks === 0)) at++;
    trail(comments.slice(0, at));
    for (const one of comments.slice(at)) {
      newLine(one.breaks > 1);
      comment(one);
    }
    const outer = open.pop() as Frame;
    frame = open.length === 0 ? undefined : outer;
    if (!flat) newLine();
    else if (object) write(" ");
    write(object ? "}" : "]");
    tokens.next();
  }

  function colon(): void {
    const before = gather();
    tokens.next();
    const comments = [...before, ...gather()];
    write(compact ? ":" : ": ");
    for (const one of comments) {
      comment(one);
      if (one.line) newLine();
      else if (!compact) write(" ");
    }
    afterKey = true;
  }

  /** Writes what follows a value, up to the next one; returns false at the end of the document. */
  function afterValue(): boolean {
    for (;;) {
      const comments = gather();
      const sure = countSure(comments);
      if (tokens.kind === "end") {
        const trailing = frame === undefined ? countTrailing(comments, sure) : 0;
        trail(comments.slice(0, trailing));
        for (const one of comments.slice(trailing)) {
          newLine(one.breaks > 1);
          comment(one);
        }
        return false;
      }
      if (tokens.kind === ",") {
        tokens.next();
        for (const one of gather()) {
          const breaks = comments.at(-1)?.line === true ? Math.max(1, one.breaks) : one.breaks;
          comments.push({ ...one, breaks });
        }
        if (!atClose()) {
          separate(comments, sure);
          return true;
        }
      }
      closeContainer(comments, sure);
    }
  }

  /** Comments between a value and its comma belong to the value. */
  function countSure(comments: readonly Comment[]): number {
    let sure = 0;
    while (comments[sure]?.breaks === 0) sure++;
    return sure;
  }

  function separate(comments: readonly Comment[], sure: number): void {
    write(",");
    if (frame?.flat === true) return write(" ");
    // Few values have comments.
    if (comments.length === 0) return newLine(tokens.breaks > 1);
    const trailing = countTrailing(comments, sure);
    trail(comments.slice(0, trailing));
    newLine((comments[trailing]?.breaks ?? tokens.breaks) > 1);
    lead(comments, trailing);
  }
}
