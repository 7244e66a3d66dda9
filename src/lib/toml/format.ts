import { checkLength } from "../data/result-length.ts";
import type { TomlVersion } from "./cursor.ts";
import { fromToml } from "./from-toml.ts";
import { type ListItem, readPieces, type WrittenList, type WrittenValue } from "./pieces.ts";

export interface TomlLayout {
  version: TomlVersion;
  /** Spaces before each item of an array that has lines of its own. */
  indent: number;
  /** Width beyond which an array gets a line for each item. */
  width: number;
  /** Most blank lines in a row. */
  blankLines: number;
}

/**
 * Lays out a TOML document anew; comments, values, keys and their order stay as written.
 * @throws DocumentFault if it is not TOML, or the result would be too long.
 */
export function formatToml(text: string, layout: TomlLayout): string {
  fromToml(text, { version: layout.version });
  const output = createOutput();
  let blanks = 0;
  let comments: string[] = [];
  const flush = (): void => {
    for (const line of comments) output.add(line);
    comments = [];
  };
  const space = (least: number): void => {
    if (output.isEmpty()) return;
    for (
      let count = Math.min(Math.max(blanks, least), Math.max(layout.blankLines, least));
      count > 0;
      count--
    )
      output.add("");
  };
  for (const line of readPieces(text)) {
    if (line.kind === "blank") {
      // A comment with a blank line after it belongs to nothing.
      if (comments.length > 0) flushAfter(0);
      blanks++;
      continue;
    }
    if (line.kind === "comment") {
      comments.push(line.text);
      continue;
    }
    flushAfter(line.kind === "header" ? 1 : 0);
    blanks = 0;
    const behind = line.behind === undefined ? "" : ` ${line.behind}`;
    if (line.kind === "header") output.add(line.text + behind);
    else writePair(output, `${line.key} = `, line.value, behind, layout);
  }
  if (comments.length > 0) flushAfter(0);
  return output.text();

  /** Writes the blank lines before a line, and then the comments above it. */
  function flushAfter(least: number): void {
    space(least);
    flush();
    blanks = 0;
  }
}

interface Output {
  add(line: string): void;
  isEmpty(): boolean;
  text(): string;
}

function createOutput(): Output {
  const lines: string[] = [];
  let length = 0;
  return {
    add(line) {
      length += line.length + 1;
      checkLength(length);
      lines.push(line);
    },
    isEmpty: () => lines.length === 0,
    text: () => (lines.length === 0 ? "" : `${lines.join("\n")}\n`),
  };
}

/** Writes what comes before a value, the value and what comes behind it. */
function writePair(
  output: Output,
  head: string,
  value: WrittenValue,
  tail: string,
  layout: TomlLayout,
): void {
  const before = head.length - head.trimStart().length;
  if (value.kind === "scalar") output.add(head + value.text + tail);
  else if (value.width !== Infinity && (head.length + value.width <= layout.width || isFlat(value)))
    output.add(head + toFlat(value) + tail);
  else if (isFlat(value) && !hasComments(value)) output.add(head + toFlat(value) + tail);
  else writeList(output, head, value, tail, " ".repeat(before), layout);
}

/** An inline table is on one line, unless it has comments, and so is an empty array. */
const isFlat = ({ kind, items, rest }: WrittenList): boolean =>
  kind === "table" || items.length + rest.length === 0;

function hasComments(value: WrittenValue): boolean {
  if (value.kind === "scalar") return false;
  return (
    value.rest.length > 0 ||
    value.items.some((one) => one.before.length > 0 || one.behind !== undefined || hasComments(one.value))
  );
}

function writeList(
  output: Output,
  head: string,
  { kind, items, rest }: WrittenList,
  tail: string,
  margin: string,
  layout: TomlLayout,
): void {
  const inner = margin + " ".repeat(layout.indent);
  output.add(`${head}${kind === "array" ? "[" : "{"}`);
  for (const [at, item] of items.entries()) {
    if (item.hasBlankLine && at > 0 && layout.blankLines > 0) output.add("");
    for (const line of item.before) output.add(inner + line);
    // TOML 1.0 has no comma before the closing brace, but no lines between braces either.
    const comma = `,${item.behind === undefined ? "" : ` ${item.behind}`}`;
    writePair(output, inner + keyOf(item), item.value, comma, layout);
  }
  for (const line of rest) output.add(inner + line);
  output.add(`${margin}${kind === "array" ? "]" : "}"}${tail}`);
}

const keyOf = ({ key }: ListItem): string => (key === undefined ? "" : `${key} = `);

function toFlat(value: WrittenValue): string {
  if (value.kind === "scalar") return value.text;
  const items = value.items.map((item) => keyOf(item) + toFlat(item.value)).join(", ");
  if (value.kind === "array") return `[${items}]`;
  return items === "" ? "{}" : `{ ${items} }`;
}
