/** Returns the offset of the first byte that is not part of well-formed UTF-8 (RFC 3629), or -1. */
export function findInvalidUtf8(data: Uint8Array): number {
  let at = 0;
  while (at < data.length) {
    const length = sequenceLength(data, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Returns the number of bytes of the code point at `at`, or 0 if there is none. */
export function sequenceLength(data: Uint8Array, at: number): number {
  const lead = data[at] ?? 0xff;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  // The second byte rules out overlong forms, surrogates and everything above U+10FFFF.
  const second = data[at + 1] ?? 0;
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  if (lead < 0xe0) return 2;
  if (((data[at + 2] ?? 0) & 0xc0) !== 0x80) return 0;
  if (lead < 0xf0) return 3;
  return ((data[at + 3] ?? 0) & 0xc0) === 0x80 ? 4 : 0;
}

/** Returns the code point at `at`, or -1 at the end and if the bytes are not UTF-8. */
export function codePointAt(data: Uint8Array, at: number): number {
  const length = sequenceLength(data, at);
  const lead = data[at] ?? -1;
  if (length < 2) return length === 1 ? lead : -1;
  let point = lead & (0xff >> (length + 1));
  for (let next = at + 1; next < at + length; next++) point = (point << 6) | ((data[next] as number) & 0x3f);
  return point;
}
