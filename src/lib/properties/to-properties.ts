import { DocumentFault } from "../fault.ts";
import { flatEntries, scalarText } from "../data/flatten.ts";
import { checkLength } from "../data/result-length.ts";
import { shown } from "../ini/from-ini.ts";
import { isDictionary, type Value } from "../data/value.ts";

/**
 * Writes a Java properties file in UTF-8. Deeper values get keys joined by dots, list items their index.
 * @throws DocumentFault if the value is not a map.
 */
export function toProperties(value: Value): string {
  if (!isDictionary(value))
    throw new DocumentFault("A properties file is a list of keys; the top-level value must be an object.", {
      pointer: "",
    });
  let text = "";
  const keys = new Set<string>();
  for (const [key, item] of flatEntries(value)) {
    if (keys.has(key)) throw new DocumentFault(`Two values get the key ${shown(key)}.`, {}, "duplicate-key");
    keys.add(key);
    text += `${escapeText(key).replace(/[ =:]/g, "\\$&").replace(/^[#!]/, "\\$&")}=`;
    // A parser would drop only the first space of a value.
    text += `${escapeText(scalarText(item)).replace(/^ /, "\\ ")}\n`;
    checkLength(text.length);
  }
  return text;
}

const letters: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f" };

const escapeText = (text: string): string =>
  text.replace(
    // eslint-disable-next-line no-control-regex
    /[\\\0-\x1f\x7f-\x9f\ud800-\udfff]/gu,
    (unit) => letters[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
