/**
 * Formats four or sixteen bytes as an address, IPv6 in the short form of RFC 5952; anything else as
 * hexadecimal digits.
 */
export function toAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return bytes.toString("hex");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(
    ":",
  );
  // URL implements RFC 5952.
  return new URL(`http://[${groups}]/`).hostname.slice(1, -1);
}
