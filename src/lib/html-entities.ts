import { load } from "./load.ts";
import { replaceCharacters } from "./text/replace-characters.ts";

export const entityModes = ["minimal", "named", "numeric", "hex"] as const;

/**
 * Writes characters as HTML character references. minimal: only & < > " '; named: also every character with
 * an HTML name, and all outside ASCII; numeric and hex: the five and all outside ASCII, by number. `all`
 * escapes every character that has a reference.
 */
export async function encodeEntities(
  text: string,
  mode: (typeof entityModes)[number],
  all: boolean,
): Promise<string> {
  return (await createEntityEncoder(mode, all))(text);
}

/** Returns a function that does what `encodeEntities` does, character by character. */
export async function createEntityEncoder(
  mode: (typeof entityModes)[number],
  all: boolean,
): Promise<(text: string) => string> {
  if (mode === "minimal" && !all)
    return (text) => replaceCharacters(text, /[&<>"']/g, (char) => htmlReferences.get(char) as string);
  const { encodeHTML } = await load("entities");
  // NUL and U+0080 to U+009F have no reference: HTML §13.2.5.80 reads &#0; and &#128; as other characters.
  const named = mode === "named" || mode === "minimal";
  const pattern = all
    ? /[^\0\u0080-\u009f\p{Surrogate}]/gu
    : named
      ? /[^\0\u0080-\u009f\p{Surrogate}A-Za-z\d \t\n\r\f]/gu
      : /[&<>"']|[^\0-\u009f\p{Surrogate}]/gu;
  const known = new Map(mode === "minimal" ? htmlReferences : []);
  const toReference = (char: string): string => {
    let reference = known.get(char);
    if (reference === undefined) {
      const name = named ? encodeHTML(char) : "";
      reference = name.startsWith("&") && !name.startsWith("&#") ? name : toNumber(char, mode === "hex");
      known.set(char, reference);
    }
    return reference;
  };
  return (text) => replaceCharacters(text, pattern, toReference);
}

/** The references of the characters that have a meaning in HTML. */
export const htmlReferences: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  // HTML 4 does not have &apos;.
  ["'", "&#39;"],
]);

function toNumber(char: string, hex: boolean): string {
  const point = char.codePointAt(0) as number;
  return hex ? `&#x${point.toString(16).toUpperCase()};` : `&#${point};`;
}

/**
 * Decodes character references as browsers do (HTML §13.2.5.72 and following). In text `&notit;` is `¬it;`;
 * in an attribute, a name without its semicolon counts only if no letter, digit or = follows.
 */
export async function decodeEntities(text: string, context: "text" | "attribute"): Promise<string> {
  return text.includes("&") ? (await createEntityDecoder(context))(text) : text;
}

/** Returns a function that does what `decodeEntities` does, for texts that end where `endOfReferences` says. */
export async function createEntityDecoder(context: "text" | "attribute"): Promise<(text: string) => string> {
  const { decodeHTML, decodeHTMLAttribute } = await load("entities");
  const decode = context === "attribute" ? decodeHTMLAttribute : decodeHTML;
  return (text) => (text.includes("&") ? decode(text) : text);
}

/** Returns where a text in UTF-8 can be cut so that no reference begins before and ends after it. */
export function endOfReferences(text: Uint8Array): number {
  const last = text.lastIndexOf(0x26);
  // The longest name has 31 letters; a number may have any count of digits.
  const open = /^&(?:#x?[\da-f]*|[a-z][a-z\d]{0,40})?$/i;
  const isOpen = last >= 0 && open.test(Buffer.from(text.subarray(last)).toString("latin1"));
  return isOpen ? last : text.length;
}
