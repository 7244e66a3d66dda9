import { isUtf8 } from "node:buffer";

// A file name is bytes, and a string has no place for bytes that are not UTF-8. They become the lone surrogates U+DC80 to
// U+DCFF, which no valid name contains, so nothing is lost and every name is one string (PEP 383, surrogateescape).

/** Decodes the bytes of a file name. */
export function decodeFileName(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUtf8(buffer)) return buffer.toString("utf8");
  let name = "";
  for (let at = 0; at < buffer.length;) {
    const lead = buffer[at] as number;
    const wanted = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const part = buffer.subarray(at, at + wanted);
    if (part.length === wanted && isUtf8(part)) {
      name += part.toString("utf8");
      at += wanted;
    } else {
      name += String.fromCharCode(0xdc00 + lead);
      at++;
    }
  }
  return name;
}

/** Returns the bytes of a file name, as `node:fs` takes them; the name itself if it is UTF-8. */
export function encodeFileName(name: string): string | Buffer {
  if (name.isWellFormed()) return name;
  return Buffer.concat(
    Array.from(name, (character) => {
      const unit = character.charCodeAt(0);
      return character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff
        ? Buffer.from([unit - 0xdc00])
        : Buffer.from(character);
    }),
  );
}

/**
 * Returns a name as people can read it and as bash, zsh and other shells take it: a name with control characters or with bytes
 * that are not UTF-8 becomes `$'a\nb\xe9'`. Two different names are never shown alike.
 */
export function showFileName(name: string): string {
  if (name.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]|^\$'/u.test(name)) return name;
  const shown = Array.from(name, (character) => {
    const unit = character.codePointAt(0) as number;
    if (character === "\\" || character === "'") return `\\${character}`;
    if (unit >= 0xdc80 && unit <= 0xdcff) return `\\x${(unit - 0xdc00).toString(16)}`;
    if (Object.hasOwn(short, character)) return short[character];
    // The bytes of a character: \u needs a locale with UTF-8.
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(character))
      return Array.from(Buffer.from(character), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(
        "",
      );
    return character;
  });
  return `$'${shown.join("")}'`;
}

const short: Readonly<Record<string, string>> = {
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
};
