import { endOfName, isXmlChar } from "./chars.ts";
import { fail } from "./fault.ts";

/** The five predefined entities (§4.6). */
export const predefined: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

export interface Reference {
  /** The index after the semicolon. */
  to: number;
  /** Name of the entity; a character reference has none. */
  name?: string;
  /** The replacement text, if it needs no declaration. */
  text?: string;
}

/** Reads the reference whose `&` is at `at` (productions 66 to 68). */
export function readReference(text: string, at: number): Reference {
  if (text.charCodeAt(at + 1) === 0x23) return readCharacter(text, at);
  const end = endOfName(text, at + 1);
  if (end === at + 1) fail("A bare '&' must be written &amp;.", at, "reference");
  if (text.charCodeAt(end) !== 0x3b)
    fail("A reference to an entity must end with ';'; write a bare '&' as &amp;.", at, "reference");
  const name = text.slice(at + 1, end);
  const known = predefined.get(name);
  return { to: end + 1, name, ...(known !== undefined && { text: known }) };
}

const decimal = /&#(\d+);/y;
const hexadecimal = /&#x([\dA-Fa-f]+);/y;

function readCharacter(text: string, at: number): Reference {
  const hex = text.charCodeAt(at + 2) === 0x78;
  const pattern = hex ? hexadecimal : decimal;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null)
    fail(
      "A character reference must be &#…; with decimal or &#x…; with hexadecimal digits.",
      at,
      "reference",
    );
  const point = Number.parseInt(found[1] as string, hex ? 16 : 10);
  if (!isXmlChar(point))
    fail("This character reference names no character that XML allows.", at, "reference");
  return { to: pattern.lastIndex, text: String.fromCodePoint(point) };
}
