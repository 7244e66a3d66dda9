import { DocumentFault } from "../fault.ts";
import { replaceCharacters } from "../text/replace-characters.ts";
import { predefined } from "../xml/references.ts";
import type { Escaper } from "./escaper.ts";

/** XML 1.0 text, allowed between tags and in attributes with either quote. */
export const xml: Escaper = { escape, unescape, quotes: false, ascii: true };

/** XML 1.0 §2.2: characters forbidden even as references. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Surrogate}\ufffe\uffff]/u;

function escape(text: string, { ascii }: { ascii: boolean }): string {
  const fault = text.search(forbidden);
  if (fault >= 0) throw new DocumentFault("XML 1.0 cannot represent this character.", { index: fault });
  // A parser would read a plain CR as a line feed (§2.11), and a line feed or a tab in an attribute as a
  // space (§3.3.3).
  const written = replaceCharacters(text, /[&<>"'\t\n\r]/g, (char) => names.get(char) as string);
  return ascii ? replaceCharacters(written, /[^ -~]/gu, (char) => `&#${char.codePointAt(0)};`) : written;
}

const names = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
  ["\t", "&#9;"],
  ["\n", "&#10;"],
  ["\r", "&#13;"],
]);

function unescape(text: string): string {
  type Part = string | undefined;
  const reference = /&(?:#x([\da-fA-F]+)|#(\d+)|([A-Za-z][\w.-]*))?(;?)/g;
  return text.replaceAll(reference, (_, hex: Part, decimal: Part, name: Part, end: string, at: number) => {
    if (end !== ";")
      throw new DocumentFault("& must begin a reference that ends with ;. Write a plain & as &amp;.", {
        index: at,
      });
    if (name !== undefined) {
      const char = predefined.get(name);
      if (char !== undefined) return char;
      throw new DocumentFault(
        "XML predefines only amp, lt, gt, quot and apos; use html-entity-decoder for others.",
        { index: at },
      );
    }
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const char = point <= 0x10ffff ? String.fromCodePoint(point) : "\0";
    if (forbidden.test(char))
      throw new DocumentFault("XML 1.0 allows no character with this number.", { index: at });
    return char;
  });
}
