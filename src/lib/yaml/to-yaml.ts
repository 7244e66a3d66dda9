import { checkLength } from "../data/result-length.ts";
import { flatLength, toFlat } from "../data/to-flat.ts";
import type { Dictionary, List, Value } from "../data/value.ts";
import { literalText, stringText, type TextStyle } from "./write-scalar.ts";

export interface YamlLayout extends TextStyle {
  /** Spaces per level, 1 to 10. */
  indent: number;
}

/**
 * Writes a value as YAML in block style, with a final line end. Strings that a parser could take for
 * something else are in double quotes.
 * @throws DocumentFault if the text exceeds 128 MiB.
 */
export function toYaml(value: Value, layout: YamlLayout): string {
  const writer: Writer = { written: "", text: "", names: new Map(), layout };
  if (isFull(value)) writeBlock(writer, value, 0, false);
  else writer.text = `${scalarText(writer, value, 0)}\n`;
  return writer.written + writer.text;
}

interface Writer {
  /** The output before `text`. */
  written: string;
  text: string;
  /** Written keys, because documents repeat them. */
  readonly names: Map<string, string>;
  readonly layout: YamlLayout;
}

const isFull = (value: Value): value is List | Dictionary =>
  Array.isArray(value) ? value.length > 0 : value instanceof Map && value.size > 0;

/** Every parser limits the depth. With `inLine`, the first entry continues after an existing `- `. */
function writeBlock(writer: Writer, value: List | Dictionary, column: number, inLine: boolean): void {
  const pad = " ".repeat(column);
  let start = inLine ? "" : pad;
  if (Array.isArray(value)) {
    for (const item of value) {
      writer.text += `${start}-`;
      writeEntry(writer, item, column, true);
      start = pad;
    }
    return;
  }
  for (const [key, item] of value) {
    const name = nameText(writer, key);
    if (name.length <= maxKey) writer.text += `${start}${name}:`;
    else writer.text += `${start}? ${name}\n${pad}:`;
    writeEntry(writer, item, column, name.length > maxKey);
    start = pad;
  }
}

function nameText({ names, layout }: Writer, key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = stringText(key, layout);
  if (names.size < maxNames) names.set(key, name);
  return name;
}

const maxNames = 1000;

/** YAML 1.2.2 §7.4.2: a key without `?` can have at most 1,024 characters. */
const maxKey = 1000;

/** Writes what follows `-` or `key:`; `compact` containers begin on the same line. */
function writeEntry(writer: Writer, value: Value, column: number, compact: boolean): void {
  if (!isFull(value)) {
    writer.text += ` ${scalarText(writer, value, column + (compact ? 2 : writer.layout.indent))}\n`;
  } else if (compact) {
    writer.text += " ";
    writeBlock(writer, value, column + 2, true);
  } else {
    writer.text += "\n";
    writeBlock(writer, value, column + writer.layout.indent, false);
  }
  checkLength(writer.written.length + writer.text.length);
  if (writer.text.length > flatLength) {
    writer.written += toFlat(writer.text);
    writer.text = "";
  }
}

/** `column` is where the lines of a block scalar begin. */
function scalarText({ layout }: Writer, value: Value, column: number): string {
  if (typeof value === "string") return blockText(value, column, layout) ?? stringText(value, layout);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "[]";
  return value instanceof Map ? "{}" : literalText(value, layout);
}

/**
 * Writes text of several lines as `|`, text too long for a line as `>`; undefined if that could change it.
 */
function blockText(text: string, column: number, { lineWidth }: YamlLayout): string | undefined {
  const lines = text.includes("\n");
  if (!lines && (lineWidth === 0 || text.length + column <= lineWidth)) return undefined;
  const pad = " ".repeat(Math.max(column, 1));
  if (lines) {
    // The first line determines the indentation, and lines of only white space would be lost.
    if (!/^[^\s#-]/.test(text) || /\n[ \t]*[\t]|\n +(?:\n|$)/.test(text) || hasSpecial(text))
      return undefined;
    let end = text.length;
    while (text.charCodeAt(end - 1) === 0x0a) end--;
    const body = text.slice(0, end);
    const ends = text.length - end;
    const chomp = ends === 0 ? "-" : ends === 1 ? "" : "+";
    const padded = body.split("\n").map((line) => (line === "" ? "" : pad + line));
    return `|${chomp}\n${padded.join("\n")}${"\n".repeat(Math.max(ends - 1, 0))}`;
  }
  if (hasSpecial(text)) return undefined;
  if (!/^\S(?:.*\S)?$/.test(text) || !/\S \S/.test(text)) return undefined;
  return `>-\n${fold(text, Math.max(lineWidth - column, 20))
    .map((line) => pad + line)
    .join("\n")}`;
}

/** Breaks at single spaces only, which a folded line end restores. */
function fold(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    if (line === "") line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Characters that only an escape can write, or that some parsers take for a line end. */
const hasSpecial = (text: string): boolean =>
  // eslint-disable-next-line no-control-regex
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/.test(text) || !text.isWellFormed();
