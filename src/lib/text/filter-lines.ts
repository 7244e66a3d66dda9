import { OptionFault } from "../fault.ts";
import { compileLineTest, type LineMode } from "./line-test.ts";
import { splitLines, type TextWork } from "./lines.ts";

interface LineFilter {
  /** Lines before and after each kept line that are kept with it. */
  before: number;
  after: number;
  /** Puts the number of each line before it: `3:` for a line that was searched for, `3-` for one around it. */
  lineNumbers: boolean;
}

/** Separates groups of lines that are not adjacent, as in grep(1). */
const gap = "--";

/**
 * Begins to filter lines, or to count those that would be kept.
 * @throws OptionFault; so does the work, for a pattern of V8 that is too large or backtracks too far.
 */
export async function createLineWork({
  pattern,
  mode,
  ignoreCase,
  invert,
  count,
  ...shown
}: LineWorkOptions): Promise<TextWork> {
  if (count && (shown.lineNumbers || shown.before + shown.after > 0))
    throw new OptionFault("A count has no lines: leave out before, after and lineNumbers.", {
      option: "count",
    });
  const test = await compileLineTest(pattern, mode, ignoreCase);
  const isWanted = (line: string): boolean => test(line) !== invert;
  return count ? countLines(isWanted) : filterLines(isWanted, shown);
}

interface LineWorkOptions extends LineFilter {
  pattern: string;
  mode: LineMode;
  ignoreCase: boolean;
  /** Keeps the lines that do not match. */
  invert: boolean;
  count: boolean;
}

/** Keeps the lines that pass a test with the lines around them. They are joined by the line end of the first line. */
function filterLines(isWanted: (line: string) => boolean, options: LineFilter): TextWork {
  const filter = createLineFilter(isWanted, options);
  let eol = "";
  let isFinal = false;
  let begun = false;
  let kept = false;
  return {
    write(text) {
      const { lines, ...ends } = splitLines(text);
      if (!begun) eol = ends.eol;
      begun = true;
      isFinal = ends.final;
      const found: string[] = [];
      for (const line of lines) filter(line, found);
      if (found.length === 0) return "";
      const joined = found.join(eol);
      if (kept) return eol + joined;
      kept = true;
      return joined;
    },
    end: () => (kept && isFinal ? eol : ""),
  };
}

/** Counts the lines that pass a test. */
function countLines(isWanted: (line: string) => boolean): TextWork {
  let count = 0;
  return {
    write(text) {
      count += splitLines(text).lines.filter(isWanted).length;
      return "";
    },
    end: () => String(count),
  };
}

/**
 * Returns a function that takes one line after the other and adds to `kept` those that pass a test, with the lines around them,
 * like grep -A, -B and -n.
 */
function createLineFilter(
  isWanted: (line: string) => boolean,
  { before, after, lineNumbers }: LineFilter,
): (line: string, kept: string[]) => void {
  const hasContext = before + after > 0;
  /** The lines before the next one that are not kept so far, at most `before`. */
  const earlier: string[] = [];
  let at = 0;
  /** Index of the first line that is not kept so far. */
  let next = 0;
  let until = -1;

  return (line, kept) => {
    const keep = (index: number, text: string, mark: string): void => {
      kept.push(lineNumbers ? `${index + 1}${mark}${text}` : text);
      next = index + 1;
    };
    if (isWanted(line)) {
      const from = at - earlier.length;
      if (hasContext && next > 0 && from > next) kept.push(gap);
      for (const [index, text] of earlier.entries()) keep(from + index, text, "-");
      earlier.length = 0;
      keep(at, line, ":");
      until = at + after;
    } else if (at <= until) keep(at, line, "-");
    else if (before > 0) {
      earlier.push(line);
      if (earlier.length > before) earlier.shift();
    }
    at++;
  };
}
