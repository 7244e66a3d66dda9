/** A line of a text without its end. */
export interface Line {
  text: string;
  /** Where it begins, in UTF-16 code units. */
  index: number;
  /** Empty after the last line of a text that does not end with a line end. */
  end: "" | "\n" | "\r\n" | "\r";
}

/** Yields the lines of a text. A line end at its end begins no other line. */
export function* linesOf(text: string): Generator<Line> {
  let index = 0;
  for (const { 0: end, index: at } of text.matchAll(/\r\n|[\r\n]/g)) {
    yield { text: text.slice(index, at), index, end: end as Line["end"] };
    index = at + end.length;
  }
  if (index < text.length) yield { text: text.slice(index), index, end: "" };
}

/** Reports for each line, called in their order, whether a comment of editorconfig-checker excludes it. */
export function createExclusion(): (line: string) => boolean {
  let isOff = false;
  let isNextOff = false;
  return (line) => {
    const wasNextOff = isNextOff;
    isNextOff = false;
    const word = /editorconfig-checker-(disable-next-line|disable-line|disable|enable)(?![\w-])/.exec(
      line,
    )?.[1];
    if (word === "disable-next-line") isNextOff = true;
    if (word === "enable") isOff = false;
    if (word === "disable") isOff = true;
    return isOff || wasNextOff || word === "disable-line" || word === "enable" || word === "disable";
  };
}

/** Whether the first line excludes the whole file. */
export const excludesFile = (text: string): boolean =>
  /^[^\r\n]*editorconfig-checker-disable-file(?![\w-])/.test(text);
