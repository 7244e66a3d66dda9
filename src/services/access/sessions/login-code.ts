import { hashKey } from "../key-format.ts";

/** Crockford's base 32: no letters that look like digits, and no U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 20;
const groupLength = 5;

/**
 * Creates a code of 20 characters, 5 bits each, in groups for reading aloud: 100 bits cannot be guessed in ten minutes.
 */
export function createLoginCode(random: (count: number) => Uint8Array): string {
  // 256 is a multiple of 32, so no character is favoured.
  const text = [...random(length)].map((byte) => alphabet[byte % 32]).join("");
  return text.match(new RegExp(`.{${groupLength}}`, "g"))?.join("-") ?? text;
}

/** Returns the hash of a code, however it was typed; undefined if it is not one. */
export function hashLoginCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return plain.length === length && [...plain].every((letter) => alphabet.includes(letter))
    ? hashKey(plain)
    : undefined;
}
