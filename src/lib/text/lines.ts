export interface Lines {
  /** Without their ends. */
  lines: string[];
  /** What ends the lines: that of the first one. */
  eol: "\n" | "\r\n";
  /** Whether the last line has an end too. */
  final: boolean;
}

/** The lines of a text. A line end at the end ends the last line and begins no further one. */
export function splitLines(text: string): Lines {
  const first = text.indexOf("\n");
  const eol = first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
  if (text === "") return { lines: [], eol, final: false };
  const final = text.endsWith("\n");
  const lines = text.split("\n");
  if (final) lines.pop();
  return { lines: lines.map(withoutCr), eol, final };
}

/** At another place, a CR at the end of a line would become a part of its end. */
function withoutCr(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(0, end);
}

/** The text of lines as `splitLines` found them. */
export function joinLines(lines: readonly string[], { eol, final }: Omit<Lines, "lines">): string {
  return lines.length === 0 ? "" : lines.join(eol) + (final ? eol : "");
}
