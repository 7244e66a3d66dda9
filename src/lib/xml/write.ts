import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { checkLength } from "../data/result-length.ts";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { findForeign, isName } from "./chars.ts";
import { shorten } from "./fault.ts";

export interface XmlWriteOptions {
  /** Spaces per level; 0 writes one line. */
  indent: number;
  /** Prefix of keys that are attributes. */
  attributes: string;
  /** The key of the text of an element that also has attributes or children. */
  text: string;
  /** Name of the root, unless the value has exactly one key and it can be the root. */
  root: string;
  /** Name of the elements for items of a list that has no key of its own. */
  item: string;
  /** The treatment of a key that is no name: refuse it, or write _ in the place of each character that a name may not have there. */
  names?: "error" | "replace";
  /** Whether an XML declaration is written. */
  declaration: boolean;
}

interface Writer {
  readonly options: XmlWriteOptions;
  readonly path: (string | number)[];
  out: string;
}

/**
 * Writes a value as XML that `readXml` converts back with the same keys: a map is an element with its
 * members, a list an element per item, null an empty element.
 * @throws DocumentFault with a pointer if a key is not a name or a text contains a character that XML forbids
 */
export function writeXml(value: Value, options: XmlWriteOptions): string {
  const writer: Writer = {
    options,
    path: [],
    out: options.declaration ? `<?xml version="1.0" encoding="UTF-8"?>${options.indent > 0 ? "\n" : ""}` : "",
  };
  const [root, ...others] = isDictionary(value) ? value : [];
  if (root !== undefined && others.length === 0 && !isList(root[1]) && isElementKey(root[0], options)) {
    writer.path.push(root[0]);
    element(writer, root[0], root[1], 0);
  } else {
    const items: Value = isList(value) ? new Map([[options.item, value]]) : value;
    element(writer, options.root, items, 0);
  }
  return writer.out;
}

const isElementKey = (key: string, { attributes, text }: XmlWriteOptions): boolean =>
  key !== text && (attributes === "" || !key.startsWith(attributes));

/** Recursive: values are at most 512 levels deep. */
function element(writer: Writer, tag: string, value: Value, level: number): void {
  const { options } = writer;
  const name = toName(writer, tag, "element");
  checkLength(writer.out.length);
  if (isList(value)) return element(writer, tag, new Map([[options.item, value]]), level);
  if (!isDictionary(value)) {
    const text = escapeText(writer, scalarOf(value));
    writer.out += text === "" ? `<${name}/>` : `<${name}>${text}</${name}>`;
    return;
  }
  const texts: string[] = [];
  const children: [string, Value][] = [];
  writer.out += `<${name}`;
  for (const [key, member] of value) {
    writer.path.push(key);
    if (key === options.text) for (const text of textsOf(writer, member)) texts.push(text);
    else if (isElementKey(key, options)) children.push([key, member]);
    else attribute(writer, key.slice(options.attributes.length), member);
    writer.path.pop();
  }
  const content = children.some(([, member]) => !isList(member) || member.length > 0);
  if (texts.length === 0 && !content) {
    writer.out += "/>";
    return;
  }
  writer.out += ">";
  // Space beside text would become part of it, and xml:space="preserve" makes all space text (XML 1.0 §2.10).
  const inline = texts.length > 0 || level < 0 || value.get(`${options.attributes}xml:space`) === "preserve";
  mixed(writer, texts, children, inline ? -1 : level + 1);
  if (!inline) newLine(writer, level);
  writer.out += `</${name}>`;
}

/**
 * The value does not say between which children its text stood: one piece goes before each, the rest at the
 * end.
 */
function mixed(
  writer: Writer,
  texts: readonly string[],
  children: readonly [string, Value][],
  level: number,
): void {
  let next = 0;
  for (const [key, member] of children) {
    writer.path.push(key);
    const list = isList(member);
    for (const [index, item] of (list ? member : [member]).entries()) {
      if (list) writer.path.push(index);
      if (level >= 0) newLine(writer, level);
      writer.out += texts[next++] ?? "";
      element(writer, key, item, level);
      if (list) writer.path.pop();
    }
    writer.path.pop();
  }
  writer.out += texts.slice(next).join("");
}

/** @throws DocumentFault for a key that is no name, unless names are replaced */
function toName(writer: Writer, key: string, of: "element" | "attribute"): string {
  if (isName(key)) return key;
  if (writer.options.names !== "replace")
    throw fault(
      writer,
      `${JSON.stringify(shorten(key))} is not a valid name of an XML ${of}; rename it, or set names to replace.`,
    );
  const plain = Array.from(key, (character) => (isName(`a${character}`) ? character : "_")).join("");
  return isName(plain) ? plain : `_${plain}`;
}

function attribute(writer: Writer, key: string, value: Value): void {
  const name = toName(writer, key, "attribute");
  if (isList(value) || isDictionary(value))
    throw fault(writer, "An attribute must have a single value, not a list or an object.");
  const text = escapeText(writer, scalarOf(value))
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\n", "&#10;");
  writer.out += ` ${name}="${text}"`;
}

function textsOf(writer: Writer, value: Value): string[] {
  return (isList(value) ? value : [value]).map((piece) => {
    if (isList(piece) || isDictionary(piece))
      throw fault(writer, "Text must be one value or a list of values, not an object.");
    return escapeText(writer, scalarOf(piece));
  });
}

function scalarOf(value: Exclude<Value, Value[] | Dictionary>): string {
  if (value === null) return "";
  return isLiteral(value) ? value.text : String(value);
}

/** A parser would turn a bare carriage return into a line feed (§2.11). */
function escapeText(writer: Writer, text: string): string {
  if (findForeign(text) >= 0)
    throw fault(writer, "The text contains a character that XML does not allow, not even as a reference.");
  if (!/[&<>\r]/.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

function newLine(writer: Writer, level: number): void {
  if (writer.options.indent > 0 && writer.out !== "")
    writer.out += `\n${" ".repeat(level * writer.options.indent)}`;
}

const fault = ({ path }: Writer, message: string): DocumentFault =>
  new DocumentFault(message, { pointer: toShortPointer(path) }, "name");
