import { DocumentFault } from "../fault.ts";
import { beyondJson, decodeKey } from "./decode-key.ts";

/** Most digits of a hexadecimal number; writing it in decimal takes quadratic time. */
const maxHexDigits = 1000;

/** Writes a key of JSON5 as JSON. */
export function plainKey(token: string): string {
  if (token[0] === '"' && !beyondJson.test(token.slice(1, -1))) return token;
  return JSON.stringify(decodeKey(Buffer.from(token), 0, Buffer.byteLength(token)));
}

/**
 * Writes a scalar of JSON5 as JSON: a string in double quotes, a number in decimal with the digits it has.
 * @param index Where the token is, for the error.
 * @throws DocumentFault for NaN and Infinity, which JSON lacks.
 */
export function plainScalar(token: string, index: number): string {
  const first = token[0] as string;
  if (first === '"' || first === "'") return plainKey(token);
  if (first === "t" || first === "f" || first === "n") return token;
  const sign = first === "-" ? "-" : "";
  const number = first === "-" || first === "+" ? token.slice(1) : token;
  if (number === "NaN" || number === "Infinity")
    throw new DocumentFault(`JSON has no ${token}; write null or a string for it.`, { index }, "not-in-json");
  if (/^0x/i.test(number)) {
    if (number.length - 2 > maxHexDigits)
      throw new DocumentFault(
        `A hexadecimal number can have at most ${maxHexDigits} digits; write this one in decimal.`,
        { index },
        "not-in-json",
        maxHexDigits,
      );
    return `${sign}${BigInt(number)}`;
  }
  const whole = number.startsWith(".") ? `0${number}` : number;
  return sign + whole.replace(/\.(?!\d)/, "");
}
