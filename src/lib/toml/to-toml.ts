import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { checkLength } from "../data/result-length.ts";
import { type Dictionary, isDictionary, isLiteral, type List, type Value } from "../data/value.ts";
import { tomlKey, tomlString, tomlText } from "./write-string.ts";

/** Beyond it, an array is written with a line for each of its items. */
const lineWidth = 80;

/**
 * The text of a value in TOML 1.0, which readers of 1.1 read too. Keys keep their order: a table that comes before a plain
 * value is written with dotted keys, because a header would take that value in.
 * @throws DocumentFault where the value is no table, holds a null, or the text gets larger than 128 MiB.
 */
export function toToml(value: Value, indent = 2): string {
  if (!isDictionary(value))
    throw new DocumentFault("A TOML document is a table; the outermost value must be an object.", {
      pointer: "",
    });
  const writer: Writer = { text: "", indent, path: [] };
  writeTable(writer, value, "");
  return writer.text;
}

interface Writer {
  text: string;
  readonly indent: number;
  /** For messages. */
  readonly path: (string | number)[];
}

/** Depth is limited by every reader, so that recursion is as deep as that at most. */
function writeTable(writer: Writer, table: Dictionary, header: string): void {
  const keys = [...table.keys()];
  const lastPlain = keys.findLastIndex((key) => !needsHeader(table.get(key) as Value));
  for (const [index, key] of keys.entries()) {
    const value = table.get(key) as Value;
    enter(writer, key);
    if (index <= lastPlain) writePairs(writer, tomlKey(key), value);
    else writeSection(writer, header === "" ? tomlKey(key) : `${header}.${tomlKey(key)}`, value);
    writer.path.pop();
  }
}

/** A table, or a list of nothing but tables. */
const needsHeader = (value: Value): boolean =>
  isDictionary(value) || (Array.isArray(value) && value.length > 0 && value.every(isDictionary));

function writeSection(writer: Writer, header: string, value: Value): void {
  if (isDictionary(value)) {
    // A table that holds tables alone is defined by their headers.
    const bare = value.size > 0 && [...value.values()].every(needsHeader);
    if (!bare) startSection(writer, `[${header}]`);
    writeTable(writer, value, header);
    return;
  }
  for (const [index, item] of (value as List).entries()) {
    startSection(writer, `[[${header}]]`);
    enter(writer, index);
    writeTable(writer, item as Dictionary, header);
    writer.path.pop();
  }
}

function startSection(writer: Writer, line: string): void {
  append(writer, `${writer.text === "" ? "" : "\n"}${line}\n`);
}

function writePairs(writer: Writer, key: string, value: Value): void {
  if (!isDictionary(value) || value.size === 0) {
    const text =
      typeof value === "string" ? tomlText(wellFormed(writer, value)) : lines(writer, value, key.length + 3);
    append(writer, `${key} = ${text}\n`);
    return;
  }
  for (const [inner, item] of value) {
    enter(writer, inner);
    writePairs(writer, `${key}.${tomlKey(inner)}`, item);
    writer.path.pop();
  }
}

/** A value on one line, or a long list on as many as it has items. */
function lines(writer: Writer, value: Value, column: number): string {
  const line = inline(writer, value);
  if (writer.indent === 0 || !Array.isArray(value) || value.length < 2 || line.length + column <= lineWidth)
    return line;
  const pad = " ".repeat(writer.indent);
  const items = value.map((item, index) => {
    enter(writer, index);
    const text = `${pad}${inline(writer, item)},\n`;
    writer.path.pop();
    return text;
  });
  return `[\n${items.join("")}]`;
}

function inline(writer: Writer, value: Value): string {
  if (typeof value === "string") return tomlString(wellFormed(writer, value));
  if (value === null) throw refusal(writer, "TOML has no null; leave the key out or give it another value.");
  if (typeof value === "boolean") return String(value);
  // Numbers of JSON, `inf` and `nan`, and dates of RFC 3339 are written so in TOML too.
  if (isLiteral(value)) return value.text;
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    length += part.length + 2;
    checkLength(writer.text.length + length);
    parts.push(part);
  };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      enter(writer, index);
      add(inline(writer, item));
      writer.path.pop();
    }
    return `[${parts.join(", ")}]`;
  }
  for (const [key, item] of value) {
    enter(writer, key);
    add(`${tomlKey(key)} = ${inline(writer, item)}`);
    writer.path.pop();
  }
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function enter(writer: Writer, name: string | number): void {
  writer.path.push(name);
  if (typeof name === "string") wellFormed(writer, name);
}

function append(writer: Writer, text: string): void {
  writer.text += text;
  checkLength(writer.text.length);
}

/** JSON can write half of a surrogate pair as an escape; no UTF-8 text can hold it. */
function wellFormed(writer: Writer, text: string): string {
  if (text.isWellFormed()) return text;
  throw refusal(writer, "The text has half of a surrogate pair, which TOML cannot write.");
}

const refusal = ({ path }: Writer, message: string): DocumentFault =>
  new DocumentFault(message, { pointer: toShortPointer(path) }, "not-in-toml");
