/** Removes the beginning of a character of several bytes from the end of UTF-8 that was cut anywhere. */
export function cutAtCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  for (let back = 0; back < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80; back++) end--;
  return bytes.subarray(0, (bytes[end - 1] ?? 0) >= 0xc0 ? end - 1 : end);
}
