import { hash } from "node:crypto";

/**
 * Returns bytes derived from a seed, the same in every version and on every machine. Not for secrets.
 * Definition: K = SHA-256(UTF-8 of the seed). Block n (from 0) = SHA-256(K followed by n as 8 bytes,
 * big-endian). The stream is block 0, block 1, … in a row; each call takes the next `size` bytes of it.
 */
export function createSeededRandom(seed: string): (size: number) => Uint8Array {
  const block = Buffer.alloc(40);
  hash("sha256", seed, "buffer").copy(block);
  let counter = 0n;
  let rest: Uint8Array = new Uint8Array(0);
  return (size) => {
    const result = new Uint8Array(size);
    let filled = Math.min(rest.length, size);
    result.set(rest.subarray(0, filled));
    rest = rest.subarray(filled);
    while (filled < size) {
      block.writeBigUInt64BE(counter++, 32);
      const bytes = hash("sha256", block, "buffer");
      const taken = Math.min(bytes.length, size - filled);
      result.set(bytes.subarray(0, taken), filled);
      rest = bytes.subarray(taken);
      filled += taken;
    }
    return result;
  };
}
