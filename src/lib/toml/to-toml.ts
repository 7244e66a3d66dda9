import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { checkLength } from "../data/result-length.ts";
import { type Dictionary, isDictionary, isLiteral, type List, type Value } from "../data/value.ts";

/** A longer array is written with one line per item. */
const lineWidth = 80;

/**
 * Writes a value as TOML 1.0, which 1.1 parsers accept too. Keys keep their order: a table before a plain
 * value is written with dotted keys, because its header would include that value.
 * @throws DocumentFault if the value is not a table, contains a null, or the text exceeds 128 MiB.
 */
export function toToml(value: Value, indent = 2): string {
  if (!isDictionary(value))
    throw new DocumentFault("A TOML document is a table; the top-level value must be an object.", {
      pointer: "",
    });
  const writer: Writer = { text: "", indent, path: [] };
  writeTable(writer, value, "");
  return writer.text;
}

/** Writes a value on one line. @throws DocumentFault as toToml does */
export const toInlineToml = (value: Value): string => inline({ text: "", indent: 0, path: [] }, value);

interface Writer {
  text: string;
  readonly indent: number;
  /** For messages. */
  readonly path: (string | number)[];
}

/** Recursive: every parser limits the depth. */
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

/** A table, or a list of only tables. */
const needsHeader = (value: Value): boolean =>
  isDictionary(value) || (Array.isArray(value) && value.length > 0 && value.every(isDictionary));

function writeSection(writer: Writer, header: string, value: Value): void {
  if (isDictionary(value)) {
    // The headers of its tables define a table that contains only tables.
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

/** Writes a value on one line, or a long list with one line per item. */
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
  if (value === null) throw refusal(writer, "TOML has no null; remove the key or give it another value.");
  if (typeof value === "boolean") return String(value);
  // TOML writes JSON numbers, `inf` and `nan`, and RFC 3339 dates in the same way.
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

/** JSON can escape a lone surrogate; UTF-8 cannot encode it. */
function wellFormed(writer: Writer, text: string): string {
  if (text.isWellFormed()) return text;
  throw refusal(writer, "The text contains a lone surrogate, which TOML cannot represent.");
}

const refusal = ({ path }: Writer, message: string): DocumentFault =>
  new DocumentFault(message, { pointer: toShortPointer(path) }, "not-in-toml");

/** Writes a key, quoted if TOML requires it. */
export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** Writes a basic string on one line. TOML uses the escapes of JSON and also forbids U+007F. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** Writes a basic string, on several lines if the text has several. */
function tomlText(text: string): string {
  if (!text.includes("\n")) return tomlString(text);
  const escaped = text.split("\n").map((line) => tomlString(line).slice(1, -1));
  // Inside three quotes a single one needs no escape, except directly before another.
  const body = escaped
    .join("\n")
    .replaceAll('\\"', '"')
    .replace(/"(?="")|"$/g, '\\"');
  return `"""\n${body}"""`;
}
