import { isDeeperThan } from "../json/nesting.ts";

/** A line that is not blank. */
export interface NdjsonLine {
  text: string;
  /** Offset in UTF-16 code units. */
  from: number;
}

/**
 * Yields the lines of a text, ended by LF or CR LF; skips a byte order mark.
 * @param isBeginning Whether the text is the beginning of the document: only there a byte order mark is none of a line.
 */
export function* linesOf(text: string, isBeginning = true): Generator<NdjsonLine> {
  let at = isBeginning && text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    yield { text: text.slice(at, text.charCodeAt(end - 1) === 0x0d && end > at ? end - 1 : end), from: at };
    at = end + 1;
  }
}

export const isBlankLine = (text: string): boolean => /^[ \t\r]*$/.test(text);

/** Groups lines to validate many at once: a call per line costs more than the reading. */
export function* groupsOf(lines: Iterable<NdjsonLine>): Generator<readonly NdjsonLine[]> {
  let group: NdjsonLine[] = [];
  for (const line of lines) {
    group.push(line);
    if (group.length < 1024) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/**
 * Joins the lines into one JSON array, or returns undefined if a line is not JSON by itself or nests deeper than any
 * parser accepts. Each is parsed alone, because `1,2`, `[3` and `4]` would make an array of three. Does not check
 * repeated keys.
 */
export function toArrayText(lines: readonly NdjsonLine[]): string | undefined {
  // JSON.parse takes some 64 bytes for each open bracket: 700 MB for ten million.
  if (lines.some(({ text }) => text.length > largeLine && isDeeperThan(text, maxDepth))) return undefined;
  try {
    for (const { text } of lines) JSON.parse(text);
  } catch {
    return undefined;
  }
  return `[${lines.map(({ text }) => text).join(",")}]`;
}

/** Characters of a line that cannot cost JSON.parse more than a few megabytes. */
const largeLine = 65_536;
const maxDepth = 512;
