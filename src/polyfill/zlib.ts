const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  return value;
});

/** CRC-32 of ISO 3309, as in gzip. */
export function crc32(data: string | Uint8Array): number {
  let value = -1;
  for (const byte of typeof data === "string" ? new TextEncoder().encode(data) : data)
    value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] as number);
  return ~value >>> 0;
}
