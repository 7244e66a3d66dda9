/**
 * Writes bytes as OpenSSL shows them, in capitals with a colon between two bytes. A text is a number in hexadecimal, as Node.js gives the
 * serial number of a certificate; a negative one keeps its sign.
 */
export function toColonHex(bytes: Buffer | string): string {
  const number = typeof bytes === "string" ? bytes : bytes.toString("hex");
  const sign = number.startsWith("-") ? "-" : "";
  const digits = number.slice(sign.length).toUpperCase();
  return sign + (digits.length % 2 === 0 ? digits : `0${digits}`).replace(/..(?=.)/g, "$&:");
}
