import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { checkLength } from "../data/result-length.ts";
import { type Dictionary, isDictionary, type Value } from "../data/value.ts";
import { shown } from "./from-ini.ts";
import { flatEntries, scalarText } from "../data/flatten.ts";

/**
 * Writes a map as INI: its scalars first, then each map in it as a section, with deeper values under keys
 * joined by dots.
 * @throws DocumentFault if the value is not a map, or a name cannot be written in INI.
 */
export function toIni(value: Value): string {
  if (!isDictionary(value))
    throw new DocumentFault("An INI document is a list of keys; the top-level value must be an object.", {
      pointer: "",
    });
  const blocks: string[] = [];
  const plain: Dictionary = new Map();
  for (const [key, item] of value) {
    if (isDictionary(item)) blocks.push(`[${sectionName(key)}]\n${toLines(item, [key])}`);
    else plain.set(key, item);
  }
  const first = toLines(plain, []);
  return [...(first === "" ? [] : [first]), ...blocks].join("\n");
}

function toLines(section: Dictionary, path: string[]): string {
  let text = "";
  const keys = new Set<string>();
  for (const [key, value] of flatEntries(section)) {
    if (key !== key.trim() || key === "" || /^[[;#]|[=:\r\n]/.test(key))
      throw unwritable("key", [...path, key]);
    if (keys.has(key)) throw new DocumentFault(`Two values get the key ${shown(key)}.`, {}, "duplicate-key");
    keys.add(key);
    text += `${key} = ${quoted(scalarText(value))}\n`;
    checkLength(text.length);
  }
  return text;
}

function sectionName(name: string): string {
  if (name !== name.trim() || /[\]\r\n]/.test(name)) throw unwritable("section", [name]);
  return name;
}

const unwritable = (what: string, path: string[]): DocumentFault =>
  new DocumentFault(
    `This ${what} has a name that INI cannot represent.`,
    { pointer: toShortPointer(path) },
    "not-in-ini",
  );

function quoted(value: string): string {
  if (value === value.trim() && !value.startsWith('"') && !/[\r\n]/.test(value)) return value;
  const letters: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  return `"${value.replace(/["\\]/g, "\\$&").replace(/[\n\r\t]/g, (unit) => letters[unit] as string)}"`;
}
