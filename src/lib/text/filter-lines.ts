export interface LineFilter {
  /** Lines before and after each kept line that are kept with it. */
  before: number;
  after: number;
  /** Puts the number of each line before it: `3:` for a line that was searched for, `3-` for one around it. */
  lineNumbers: boolean;
}

/** Separates groups of lines that are not adjacent, as in grep(1). */
const gap = "--";

/** Returns the lines that pass a test with the lines around them, like grep -A, -B and -n. */
export function filterLines(
  lines: readonly string[],
  isWanted: (line: string) => boolean,
  { before, after, lineNumbers }: LineFilter,
): string[] {
  const result: string[] = [];
  const hasContext = before + after > 0;
  /** Index of the first line that is not written yet. */
  let next = 0;
  let until = -1;

  const write = (at: number, mark: string): void => {
    const line = lines[at] as string;
    result.push(lineNumbers ? `${at + 1}${mark}${line}` : line);
    next = at + 1;
  };

  for (const [at, line] of lines.entries()) {
    if (isWanted(line)) {
      const from = Math.max(next, at - before);
      if (hasContext && next > 0 && from > next) result.push(gap);
      for (let earlier = from; earlier < at; earlier++) write(earlier, "-");
      write(at, ":");
      until = at + after;
    } else if (at <= until) write(at, "-");
  }
  return result;
}
