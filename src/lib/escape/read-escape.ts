import { isUtf8 } from "node:buffer";
import { DocumentFault } from "../fault.ts";

/** The escapes that a language allows after a backslash. */
export interface Forms {
  /** Single characters and what they stand for. */
  simple: Readonly<Record<string, string>>;
  /** \x41; "short" also accepts one digit, as PHP does, and "long" up to four, as C# does. */
  hex: boolean | "short" | "long";
  /** \u0041; "many" also accepts \uu0041, as Java does, and "braces" \u{1f600}; "only-braces" nothing else. */
  unicode: "plain" | "many" | "braces" | "only-braces" | "none";
  /** \U0001f600 */
  long: boolean;
  /** \101, up to three digits. */
  octal: boolean;
  /** Whether a backslash before a line end joins the lines. */
  joins: boolean;
  /** Whether \xff and \377 stand for bytes of UTF-8 and not for characters. */
  bytes: boolean;
  /** Whether a backslash before any other character is ignored, or is itself a character ("kept"). */
  lenient: boolean | "kept";
  /** Whether \/ is a slash, written to avoid </script. */
  slash: boolean;
  name: string;
}

/** Reads the escape whose backslash is at `at`. @throws DocumentFault */
export function readEscape(text: string, at: number, forms: Forms): { value: string; end: number } {
  if (forms.bytes && (readByte(text, at)?.value ?? 0) >= 0x80) return readBytes(text, at);
  const sign = text.charAt(at + 1);
  if (sign === "") throw new DocumentFault("The last backslash needs a character after it.", { index: at });
  if (forms.octal && sign >= "0" && sign <= "7") {
    const [digits = ""] = /^(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/.exec(text.slice(at + 1, at + 4)) ?? [];
    return { value: String.fromCharCode(Number.parseInt(digits, 8)), end: at + 1 + digits.length };
  }
  if (Object.hasOwn(forms.simple, sign)) return { value: forms.simple[sign] as string, end: at + 2 };
  if (sign === "x" && forms.hex === true) return readDigits(text, at, 2, 2);
  if (sign === "x" && forms.hex !== false) {
    const [digits] =
      (forms.hex === "short" ? /^[\da-f]{1,2}/i : /^[\da-f]{1,4}/i).exec(text.slice(at + 2, at + 6)) ?? [];
    if (digits !== undefined) return readDigits(text, at, 2, digits.length);
    if (forms.lenient !== "kept") return readDigits(text, at, 2, 1);
  }
  if (sign === "u" && forms.unicode !== "none" && (forms.unicode !== "only-braces" || text[at + 2] === "{"))
    return readUnicode(text, at, forms);
  if (sign === "U" && forms.long) return readDigits(text, at, 2, 8);
  if (forms.joins && (sign === "\n" || sign === "\r")) {
    return { value: "", end: at + (text.startsWith("\r\n", at + 1) ? 3 : 2) };
  }
  if (!forms.lenient) {
    const shown = String.fromCodePoint(text.codePointAt(at + 1) as number);
    throw new DocumentFault(`${forms.name} has no escape ${JSON.stringify(`\\${shown}`).slice(2, -1)}.`, {
      index: at,
    });
  }
  return { value: forms.lenient === "kept" ? `\\${sign}` : sign, end: at + 2 };
}

/** Reads \xff or \377, which stand for one byte. */
function readByte(text: string, at: number): { value: number; end: number } | undefined {
  const [whole, hex, octal] = /^\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3}))/.exec(text.slice(at, at + 4)) ?? [];
  if (whole === undefined) return undefined;
  return {
    value: hex === undefined ? Number.parseInt(octal as string, 8) & 0xff : Number.parseInt(hex, 16),
    end: at + whole.length,
  };
}

/** Reads the escapes of bytes that follow one another, which must be UTF-8 together. */
function readBytes(text: string, from: number): { value: string; end: number } {
  const bytes: number[] = [];
  let end = from;
  for (let next = readByte(text, end); next !== undefined && next.value >= 0x80; next = readByte(text, end)) {
    bytes.push(next.value);
    end = next.end;
  }
  const decoded = Buffer.from(bytes);
  if (!isUtf8(decoded)) throw new DocumentFault("The bytes of these escapes are not UTF-8.", { index: from });
  return { value: decoded.toString(), end };
}

function readUnicode(text: string, at: number, forms: Forms): { value: string; end: number } {
  let skip = 2;
  if (forms.unicode === "many") while (text[at + skip] === "u") skip++;
  if (!forms.unicode.endsWith("braces") || text[at + 2] !== "{") return readDigits(text, at, skip, 4);
  const [, digits] = /^\{([\da-fA-F]{1,16})\}/.exec(text.slice(at + 2, at + 22)) ?? [];
  if (digits === undefined)
    throw new DocumentFault("\\u{ must be followed by hexadecimal digits and a }.", { index: at });
  return { value: toCharacter(Number.parseInt(digits, 16), at), end: at + 4 + digits.length };
}

function readDigits(text: string, at: number, skip: number, count: number): { value: string; end: number } {
  const digits = text.slice(at + skip, at + skip + count);
  if (digits.length < count || !/^[\da-fA-F]+$/.test(digits)) {
    const wanted = count === 1 ? "a hexadecimal digit" : `${count} hexadecimal digits`;
    throw new DocumentFault(`\\${text.charAt(at + 1)} must be followed by ${wanted}.`, { index: at });
  }
  return { value: toCharacter(Number.parseInt(digits, 16), at), end: at + skip + count };
}

function toCharacter(point: number, at: number): string {
  if (point > 0x10ffff) throw new DocumentFault("The last Unicode character is U+10FFFF.", { index: at });
  return String.fromCodePoint(point);
}
