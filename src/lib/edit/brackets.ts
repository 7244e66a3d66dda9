import type { Edit } from "./replace.ts";

/** A list or map in brackets, with commas between its entries. */
export interface Bracketed {
  readonly from: number;
  /** Behind the closing bracket. */
  readonly to: number;
  readonly entries: readonly BracketEntry[];
}

export interface BracketEntry {
  readonly from: number;
  readonly to: number;
  /** The index of the comma behind it. */
  readonly comma: number | undefined;
}

type Keyed = readonly { readonly key: string | undefined }[];

const placesByKey = new WeakMap<Keyed, ReadonlyMap<string | undefined, number>>();

/** Returns the index of the first entry with a key, or -1. The entries must not change: they are indexed once, for all edits of a call. */
export function placeOf(entries: Keyed, key: string): number {
  let places = placesByKey.get(entries);
  if (places === undefined) {
    places = new Map(entries.map((entry, at) => [entry.key, at] as const).toReversed());
    placesByKey.set(entries, places);
  }
  return places.get(key) ?? -1;
}

export interface BracketStyle {
  /** Whether the first entry gets a line of its own in a text of several lines. */
  expands?: boolean;
  /** Whether a space follows a comma where the text does not show it. */
  spaced?: boolean;
}

/** Matches a comment up to the end of its line, or between its marks. */
const comment = /[ \t]*(?:\/\/[^\n\r]*|#[^\n\r]*|\/\*[^\n\r]*?\*\/)/y;

/**
 * Adds an entry at the end, in a line of its own where the last one has one.
 * @param write Writes the entry: on one line if `flat`, otherwise as it begins in the line of the index.
 */
export function addEntry(
  text: string,
  { from, to, entries }: Bracketed,
  write: (flat: boolean, at: number) => string,
  { expands = false, spaced = true }: BracketStyle = {},
): Edit[] {
  const last = entries.at(-1);
  const end = lineEndOf(text);
  if (last === undefined) {
    const inner = text.slice(from + 1, to - 1);
    if (inner.trim() === "" && !(expands && text.includes("\n")))
      return [{ from: from + 1, to: to - 1, text: write(true, from) }];
    const outer = indentAt(text, from);
    const line = outer + unitOf(text);
    const entry = write(false, from).replaceAll("\n", `\n${unitOf(text)}`);
    const closed = from + 1 + inner.trimEnd().length;
    return [{ from: closed, to: to - 1, text: `${end}${line}${entry}${end}${outer}` }];
  }
  if (!startsLine(text, last.from)) {
    const gap = entries.length > 1 ? gapBefore(text, entries) : spaced ? " " : "";
    return [{ from: last.to, to: last.to, text: `,${gap}${write(true, last.from)}` }];
  }
  const entry = end + indentAt(text, last.from) + write(false, last.from);
  const { comma } = last;
  if (comma !== undefined) return [{ ...pointAt(skipComments(text, comma + 1)), text: `${entry},` }];
  const behind = skipComments(text, last.to);
  if (behind === last.to) return [{ ...pointAt(last.to), text: `,${entry}` }];
  return [
    { ...pointAt(last.to), text: "," },
    { ...pointAt(behind), text: entry },
  ];
}

/** Removes an entry with its comma and the comment behind it; comments above it stay. */
export function removeEntry(text: string, { from, to, entries }: Bracketed, position: number): Edit[] {
  const entry = entries[position] as BracketEntry;
  const before = entries[position - 1];
  const { comma } = entry;
  const edits: Edit[] = [];
  const isLast = position === entries.length - 1;
  const end = skipComments(text, comma === undefined ? entry.to : comma + 1);
  const ownLine = startsLine(text, entry.from) && /^[ \t]*\r?\n/.test(text.slice(end, end + 200));
  if (isLast && comma === undefined && before?.comma !== undefined)
    edits.push({ from: before.comma, to: before.comma + 1, text: "" });
  if (ownLine) {
    const start = text.lastIndexOf("\n", entry.from);
    edits.push({
      from: lineBreakBefore(text, start),
      to: lineBreakBefore(text, text.indexOf("\n", end)),
      text: "",
    });
  } else if (!isLast)
    edits.push({ from: entry.from, to: (entries[position + 1] as BracketEntry).from, text: "" });
  else {
    const start = before?.comma === undefined ? entry.from : before.comma + 1;
    const isSpace = text.slice(start, entry.from).trim() === "";
    edits.push({
      from: isSpace ? start : entry.from,
      to: comma === undefined ? entry.to : comma + 1,
      text: "",
    });
  }
  if (entries.length > 1) return edits;
  const cut = edits.at(-1) as Edit;
  const rest = text.slice(from + 1, cut.from) + text.slice(cut.to, to - 1);
  return rest.trim() === "" ? [{ from: from + 1, to: to - 1, text: "" }] : edits;
}

/** The white space at the beginning of the line in which an index lies. */
export function indentAt(text: string, index: number): string {
  const start = text.lastIndexOf("\n", index - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, index))?.[0] ?? "";
}

/** The indentation of the first line that has one. */
export const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";

const pointAt = (at: number): { from: number; to: number } => ({ from: at, to: at });

const lineEndOf = (text: string): string => (/^[^\n]*\r\n/.test(text) ? "\r\n" : "\n");

/** The index of a line feed, or of the carriage return before it. */
const lineBreakBefore = (text: string, at: number): number => (text[at - 1] === "\r" ? at - 1 : at);

function startsLine(text: string, index: number): boolean {
  const start = text.lastIndexOf("\n", index - 1);
  return start >= 0 && text.slice(start + 1, index).trim() === "";
}

function skipComments(text: string, from: number): number {
  let at = from;
  for (;;) {
    comment.lastIndex = at;
    const found = comment.exec(text);
    if (found === null) return at;
    at = comment.lastIndex;
  }
}

function gapBefore(text: string, entries: readonly BracketEntry[]): string {
  const last = entries.at(-1) as BracketEntry;
  const comma = entries.at(-2)?.comma;
  const gap = comma === undefined ? "" : text.slice(comma + 1, last.from);
  return gap.trim() === "" ? gap : " ";
}
