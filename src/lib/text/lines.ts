/** Work on a text that arrives in parts, each of whole lines with their ends; the last line may have none. */
export interface TextWork {
  /** Takes the next lines, and returns what follows in the result. */
  write(lines: string): string;
  /** Returns the end of the result. */
  end(): string;
}

/** Cuts a text into parts of whole lines, of at most `maxUnits` UTF-16 code units but for a line that is longer. */
export function* partsOf(text: string, maxUnits: number): Generator<string> {
  let from = 0;
  while (text.length - from > maxUnits) {
    const last = text.lastIndexOf("\n", from + Math.ceil(maxUnits) - 1);
    const end = last >= from ? last : text.indexOf("\n", from);
    if (end < 0) break;
    yield text.slice(from, end + 1);
    from = end + 1;
  }
  if (from < text.length) yield text.slice(from);
}

export interface Lines {
  /** Without line ends. */
  lines: string[];
  /** The line end of the first line. */
  eol: "\n" | "\r\n";
  /** Whether the last line has a line end. */
  final: boolean;
}

/** Splits a text into lines. A final line end does not begin another line. */
export function splitLines(text: string): Lines {
  const first = text.indexOf("\n");
  const eol = first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
  if (text === "") return { lines: [], eol, final: false };
  const final = text.endsWith("\n");
  const lines = text.split("\n");
  if (final) lines.pop();
  return { lines: lines.map(withoutCr), eol, final };
}

/** A moved line must not keep its CR, which would become part of another line end. */
function withoutCr(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(0, end);
}

/** Joins lines as `splitLines` split them. */
export function joinLines(lines: readonly string[], { eol, final }: Omit<Lines, "lines">): string {
  return lines.length === 0 ? "" : lines.join(eol) + (final ? eol : "");
}
