import { stripAnsi } from "./strip-ansi.ts";

/**
 * Removes control sequences like `stripAnsi`, after applying those that change what was written in a line: carriage
 * returns, backspaces, and ESC [ K, which erases a part of the line (ECMA-48 §8.3.41). Each character counts as one
 * column.
 */
export function renderLines(text: string): string {
  return stripAnsi(text, (sequence) => eraser.test(sequence))
    .split("\n")
    .map((line) => (overwriting.test(line) ? renderLine(line) : line))
    .join("\n");
}

// oxlint-disable-next-line no-control-regex
const eraser = /^(?:\x1b\[|\x9b)[012]?K$/;
// oxlint-disable-next-line no-control-regex
const overwriting = /[\b\x1b\x9b]|\r(?!$)/;
/** Characters that erase or move, and any other character. */
// oxlint-disable-next-line no-control-regex
const piece = /(?:\x1b\[|\x9b)([012]?)K|([\r\b])|[^]/gu;

function renderLine(line: string): string {
  const end = line.endsWith("\r") ? "\r" : "";
  const cells: string[] = [];
  let at = 0;
  // Cells before it are blank: erasing them again and again would take quadratic time.
  let blank = 0;
  for (const [text, erased, moved] of line.slice(0, line.length - end.length).matchAll(piece)) {
    if (moved === "\r") at = 0;
    else if (moved === "\b") at = Math.max(0, at - 1);
    else if (erased === undefined) {
      blank = Math.min(blank, at);
      cells[at++] = text;
    } else if (erased === "1") {
      cells.fill(" ", blank, at + 1);
      blank = Math.max(blank, at + 1);
    } else cells.length = erased === "2" ? 0 : Math.min(cells.length, at);
  }
  return Array.from(cells, (cell = " ") => cell).join("") + end;
}
