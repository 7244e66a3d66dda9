import { type FlatLengths, measureFlat } from "./flat-lengths.ts";
import { type Comment, countSure, createComments } from "./lay-out-comments.ts";
import { createLineWriter } from "./lay-out-writer.ts";
import { plainKey, plainScalar } from "./plain-scalar.ts";
import type { JsonDialect } from "./source.ts";
import { createTokens, type Tokens } from "./tokens.ts";

export interface Layout {
  dialect: JsonDialect;
  /** Columns of a level; 0 puts the document on one line, apart from line comments, which end theirs. */
  indent: number;
  useTabs?: boolean;
  /** Arrays and objects that fit into this many columns stand on one line; 0 gives every item a line. */
  width?: number;
  /** Leaves arrays and objects open whose first item is on a line of its own in the document; needs a width. */
  keepsOpen?: boolean;
  /** `plain` removes comments and writes scalars as JSON; `commented` only writes scalars as JSON. */
  scalars?: "written" | "plain" | "commented";
  /** Keeps one blank line between items where the document has some. */
  blankLines?: boolean;
  /** In UTF-16 code units. */
  maxLength: number;
}

interface Frame {
  flat: boolean;
  object: boolean;
  /** Items share lines: those of the document if it is open there, otherwise as many as fit. */
  fill: boolean;
}

const outside: Frame = { flat: false, object: false, fill: false };
const noLengths: FlatLengths = { lengths: [], fills: new Set() };

/**
 * Writes a valid document anew: every comment stays with what it comments on, trailing commas go.
 * @throws DocumentFault if the result is too large, or a scalar has no form in JSON.
 */
export function layOut(text: string, layout: Layout): string {
  const { dialect, indent, width = 0, keepsOpen = false } = layout;
  const compact = indent === 0;
  const { lengths, fills } =
    width > 0 && !compact ? measureFlat(createTokens(text, dialect), keepsOpen) : noLengths;
  const tokens = createTokens(text, dialect);
  const writer = createLineWriter(layout);
  const { write, newLine } = writer;
  const {
    gather,
    write: comment,
    trail,
    lead,
    stack,
    countTrailing,
  } = createComments(text, tokens, writer, layout);
  const open: Frame[] = [];
  let frame: Frame | undefined;
  let ordinal = 0;
  /** Whether a key was written, whose value follows. */
  let afterKey = false;

  tokens.next();
  lead(gather(), 0);
  for (;;) {
    if (tokens.kind === "{" || tokens.kind === "[") {
      if (openContainer()) continue;
    } else {
      const isKey = frame?.object === true && !afterKey;
      write(toScalar(layout, text.slice(tokens.from, tokens.to), tokens.from, isKey));
      tokens.next();
      if (isKey) {
        colon();
        continue;
      }
    }
    afterKey = false;
    if (!afterValue()) return writer.end();
  }

  /** Returns false if the container is empty and therefore already closed. */
  function openContainer(): boolean {
    const object = tokens.kind === "{";
    const fill = fills.has(ordinal);
    const length = lengths[ordinal++];
    const flat = frame?.flat === true || (length !== undefined && writer.column() + length <= width);
    write(object ? "{" : "[");
    tokens.next();
    const comments = gather();
    const empty = isClose(tokens);
    if (empty && comments.length === 0) {
      write(tokens.kind);
      tokens.next();
      return false;
    }
    if (frame !== undefined) open.push(frame);
    else open.push(outside);
    writer.nest(1);
    frame = { flat, object, fill };
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
    stack(comments.slice(at));
    const outer = open.pop() as Frame;
    writer.nest(-1);
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
        stack(comments.slice(trailing));
        return false;
      }
      if (tokens.kind === ",") {
        tokens.next();
        for (const one of gather()) {
          const breaks = comments.at(-1)?.line === true ? Math.max(1, one.breaks) : one.breaks;
          comments.push({ ...one, breaks });
        }
        if (!isClose(tokens)) {
          separate(comments, sure);
          return true;
        }
      }
      closeContainer(comments, sure);
    }
  }

  function separate(comments: readonly Comment[], sure: number): void {
    write(",");
    if (frame?.flat === true) return write(" ");
    // Few values have comments.
    if (comments.length === 0) {
      if (
        frame?.fill === true &&
        tokens.breaks === 0 &&
        writer.column() + 1 + lengthWithComma(text, tokens) <= width
      )
        return write(" ");
      return newLine(tokens.breaks > 1);
    }
    const trailing = countTrailing(comments, sure);
    trail(comments.slice(0, trailing));
    newLine((comments[trailing]?.breaks ?? tokens.breaks) > 1);
    lead(comments, trailing);
  }
}

function toScalar(
  { dialect, scalars = "written" }: Layout,
  token: string,
  index: number,
  isKey: boolean,
): string {
  if (scalars === "written" || dialect !== "json5") return token;
  return isKey ? plainKey(token) : plainScalar(token, index);
}

const isClose = ({ kind }: Tokens): boolean => kind === "}" || kind === "]";

/** The length of the next item of an array, with the comma after it. */
function lengthWithComma(text: string, { from, to }: Tokens): number {
  const comma = /\s*,/y;
  comma.lastIndex = to;
  return to - from + (comma.test(text) ? 1 : 0);
}
