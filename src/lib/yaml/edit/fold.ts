import { append } from "../../append.ts";

/** YAML 1.2.2 §6.5: a line end in text that is folded reads as a space, and a blank line as a line end. */

/**
 * Wraps the lines of a plain or quoted scalar.
 * @param column Where its first line begins.
 * @param indent Where its other lines begin.
 */
export function foldLines(
  lines: readonly string[],
  column: number,
  indent: number,
  lineWidth: number,
): string[] {
  // An escaped line end joins words.
  if (lines.some((line) => line.endsWith("\\"))) return [...lines];
  const folded: string[] = [];
  for (const paragraph of toParagraphs(lines)) {
    if (paragraph.length === 0) folded.push("");
    else {
      const first = lineWidth - (folded.length === 0 ? column : indent);
      append(folded, wrap(paragraph.join(" "), lineWidth - indent, first));
    }
  }
  return folded;
}

/** Wraps the lines of a folded block scalar, without their indentation. Lines that are indented more stay. */
export function foldBlock(lines: readonly string[], width: number): string[] {
  const folded: string[] = [];
  let words: string[] = [];
  const flush = (): void => {
    if (words.some((line) => /[ \t]$/.test(line))) append(folded, words);
    else if (words.length > 0) append(folded, wrap(words.join(" "), width));
    words = [];
  };
  for (const line of lines) {
    if (line !== "" && !/^[ \t]/.test(line)) {
      words.push(line);
      continue;
    }
    flush();
    folded.push(line);
  }
  flush();
  return folded;
}

/** Groups lines between blank ones; a blank line is a group without lines. */
function toParagraphs(lines: readonly string[]): string[][] {
  const paragraphs: string[][] = [];
  let open = false;
  for (const [at, line] of lines.entries()) {
    const ends = at === 0 || at === lines.length - 1;
    if (line === "" && !ends) {
      paragraphs.push([]);
      open = false;
    } else if (open) paragraphs.at(-1)?.push(line);
    else {
      paragraphs.push([line]);
      open = true;
    }
  }
  return paragraphs;
}

/** Breaks at single spaces between words, which a folded line end restores. */
function wrap(text: string, width: number, first = width): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(/(?<=[^\s]) (?=[^\s])/)) {
    const most = lines.length === 0 ? first : width;
    if (line === undefined) line = word;
    else if (line.length + 1 + word.length <= most) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line ?? ""];
}
