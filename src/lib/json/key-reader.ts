import { decodeKey } from "./decode-key.ts";

/** Longest key remembered, in bytes; longer ones are not worth comparing. */
const maxLength = 64;
const slots = 256;

/**
 * Returns a `decodeKey` for many keys of one document. Documents repeat their keys, and a known string is
 * cheaper to find than to decode, and already has its hash.
 */
export function createKeyReader(data: Uint8Array): (from: number, to: number) => string {
  const starts = new Int32Array(slots).fill(-1);
  const lengths = new Int32Array(slots);
  const keys: string[] = Array.from({ length: slots }, () => "");

  return (from, to) => {
    const length = to - from;
    if (length > maxLength) return decodeKey(data, from, to);
    let hash = length;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (data[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (slots - 1);
    const start = starts[slot] as number;
    if (start >= 0 && lengths[slot] === length) {
      let same = 0;
      while (same < length && data[start + same] === data[from + same]) same++;
      if (same === length) return keys[slot] as string;
    }
    starts[slot] = from;
    lengths[slot] = length;
    return (keys[slot] = decodeKey(data, from, to));
  };
}
