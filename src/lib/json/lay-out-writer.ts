import { flatLength, toFlat } from "../data/to-flat.ts";
import { DocumentFault } from "../fault.ts";
import type { Layout } from "./lay-out.ts";

/** Writes the lines of a result. */
export interface LineWriter {
  /** Adds text to the line. @throws DocumentFault if the result is too large. */
  write(more: string): void;
  /** Begins a line with the indentation of its level, after a blank line if asked; nothing in a result of one line. */
  newLine(blank?: boolean): void;
  /** Columns of the line so far. */
  column(): number;
  /** Adds to the level of the following lines. */
  nest(levels: 1 | -1): void;
  /** The indentation of the level. */
  margin(): string;
  /** Returns the whole result. */
  end(): string;
}

export function createLineWriter(layout: Layout): LineWriter {
  const { indent, useTabs = false, blankLines = false, maxLength } = layout;
  const unit = useTabs ? "\t" : " ".repeat(indent);
  /** Flat parts of the result, and the part that grows. */
  const parts: string[] = [];
  let part = "";
  let written = 0;
  /** The start of the line, less the columns that tabs take in addition. */
  let lineStart = 0;
  let level = 0;

  function write(more: string): void {
    part += more;
    written += more.length;
    if (written > maxLength)
      throw new DocumentFault(
        `The result is larger than ${maxLength} characters. Nesting multiplies the indentation: use less of it, or 0.`,
        {},
        "result-too-large",
      );
    if (part.length < flatLength) return;
    parts.push(toFlat(part));
    part = "";
  }

  function newLine(blank = false): void {
    if (indent === 0) return;
    write(blank && blankLines ? "\n\n" : "\n");
    lineStart = written - (useTabs ? level * (indent - 1) : 0);
    write(unit.repeat(level));
  }

  return {
    write,
    newLine,
    column: () => written - lineStart,
    nest: (levels) => void (level += levels),
    margin: () => unit.repeat(level),
    end: () => parts.join("") + part,
  };
}
