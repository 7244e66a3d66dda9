import { hashKey } from "../key-format.ts";

/** Crockford's base 32: no letter that is taken for a digit, and no U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 20;
const groupLength = 5;

/** 20 characters of 5 bits, in groups that can be read out: 100 bits that nobody guesses in ten minutes. */
export function createLoginCode(random: (count: number) => Uint8Array): string {
  // 256 is a multiple of 32: no character is favoured.
  const text = [...random(length)].map((byte) => alphabet[byte % 32]).join("");
  return text.match(new RegExp(`.{${groupLength}}`, "g"))?.join("-") ?? text;
}

/** The hash by which a code is kept, however it was typed; undefined for what is none. */
export function hashLoginCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return plain.length === length && [...plain].every((letter) => alphabet.includes(letter))
    ? hashKey(plain)
    : undefined;
}
