import { DocumentFault } from "../fault.ts";
import type { TextWork } from "./lines.ts";

export interface WhitespaceOptions {
  /** Line ends to write; keep leaves each unchanged. */
  eol: "keep" | "lf" | "crlf";
  /** Whether to remove spaces and tabs before line ends. */
  trimTrailing: boolean;
  /** Whether lines with text keep two or more spaces at their end, which break a line in Markdown. */
  hardBreaks: boolean;
  /** Whether the text ends with exactly one line end; removes blank lines before it. */
  finalNewline: boolean;
  /** Columns between tab stops; replaces tabs with spaces. */
  tabWidth?: number | undefined;
  /** Whether to replace Unicode spaces with plain ones. */
  plainSpaces: boolean;
  /** Whether to remove a leading byte order mark. */
  stripBom: boolean;
}

export function normalizeWhitespace(text: string, options: WhitespaceOptions): string {
  const { write, end } = createNormalizer(options);
  return write(text) + end();
}

/** Normalizes a text that arrives in parts. @throws DocumentFault for more than `maxHeld` characters of line ends in a row. */
export function createNormalizer(options: WhitespaceOptions): TextWork {
  const { eol, finalNewline } = options;
  let begun = false;
  /** Line ends after the last line that is written; they are the end of the text if nothing follows. */
  let held = "";
  let firstEnd: string | undefined;
  let written = false;
  const toEnds = (text: string): string => (eol === "crlf" ? text.replaceAll("\n", "\r\n") : text);

  function normalize(text: string): string {
    let result = !begun && options.stripBom && text.startsWith("\ufeff") ? text.slice(1) : text;
    begun = true;
    if (options.plainSpaces) result = result.replaceAll(spaces, " ");
    if (eol !== "keep") result = result.replaceAll(/\r\n?/g, "\n");
    if (options.tabWidth !== undefined) result = expandTabs(result, options.tabWidth);
    return options.trimTrailing ? trimLines(result, options.hardBreaks) : result;
  }

  return {
    write(lines) {
      const text = normalize(lines);
      if (!finalNewline) return toEnds(text);
      let last = text.length;
      while (last > 0 && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
      const ends = text.slice(last);
      firstEnd ??= lineEndOf(text);
      if (last === 0) {
        held += ends;
        if (held.length > maxHeld)
          throw new DocumentFault(
            `There are more than ${maxHeld} characters of line ends in a row.`,
            {},
            "too-large",
            maxHeld,
          );
        return "";
      }
      const result = held + text.slice(0, last);
      held = ends;
      written = true;
      return toEnds(result);
    },
    end() {
      if (!written) return "";
      // A missing final line end gets the style of the first one.
      return toEnds((held.startsWith("\r\n") ? "\r\n" : held.charAt(0)) || (firstEnd ?? "\n"));
    },
  };
}

/** No document that is read as a whole is longer. */
const maxHeld = 128 * 1024 * 1024;

/** Every Unicode space separator except the ASCII space. */
const spaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/**
 * Scans backwards from each line end: a pattern would try each run of spaces inside a line from every start.
 */
function trimLines(text: string, hardBreaks: boolean): string {
  if (!/[ \t](?:[\r\n]|$)/.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  while (from <= text.length) {
    lineEnd.lastIndex = from;
    const end = lineEnd.exec(text);
    const at = end?.index ?? text.length;
    let last = at;
    while (last > from && (text[last - 1] === " " || text[last - 1] === "\t")) last--;
    if (hardBreaks && last > from && at - last >= 2 && text.endsWith("  ", at)) last = at;
    parts.push(text.slice(from, last), end?.[0] ?? "");
    if (end === null) break;
    from = at + end[0].length;
  }
  return parts.join("");
}

const lineEnd = /\r\n|[\r\n]/g;

function lineEndOf(text: string): string | undefined {
  lineEnd.lastIndex = 0;
  return lineEnd.exec(text)?.[0];
}

function expandTabs(text: string, width: number): string {
  const [first = "", ...rest] = text.split("\t");
  let column = columnsOf(first, 0);
  const parts = [first];
  for (const piece of rest) {
    const count = width - (column % width);
    parts.push(" ".repeat(count), piece);
    column = columnsOf(piece, column + count);
  }
  return parts.join("");
}

/** Returns the column, from 0, at which a text that begins at column `start` ends. */
function columnsOf(piece: string, start: number): number {
  let column = start;
  for (let at = 0; at < piece.length; at++) {
    const unit = piece.charCodeAt(at);
    if (unit === 0x0a || unit === 0x0d) column = 0;
    // A column is a code point: the width of wide characters depends on the terminal's font.
    else if ((unit & 0xfc00) !== 0xdc00 || (piece.charCodeAt(at - 1) & 0xfc00) !== 0xd800) column++;
  }
  return column;
}
