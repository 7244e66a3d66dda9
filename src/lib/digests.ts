/** Hash functions that Node supports under these names and HMAC can use, current ones first. */
export const digests = [
  "sha224",
  "sha256",
  "sha384",
  "sha512",
  "sha512-224",
  "sha512-256",
  "sha3-224",
  "sha3-256",
  "sha3-384",
  "sha3-512",
  "blake2b512",
  "blake2s256",
  "ripemd160",
  "sm3",
  "sha1",
  "md5",
] as const;

export type Digest = (typeof digests)[number];

/**
 * Returns the name among `known` that a spelling stands for: case, hyphens and the family's number do not matter, as in
 * `SHA-256`, `SHA2-256`, `SHA512/256`, `RMD160` and `blake2b`. A spelling of none is returned unchanged.
 */
export function toDigestName(spelling: string, known: readonly string[]): string {
  const plain = squash(spelling)
    .replace(/^sha2(?=224$|256$|384$|512)/, "sha")
    .replace(/^rmd(?=160$)/, "ripemd")
    .replace(/^blake2b$/, "blake2b512")
    .replace(/^blake2s$/, "blake2s256");
  return known.find((one) => squash(one) === plain) ?? spelling;
}

const squash = (name: string): string => name.toLowerCase().replaceAll(/[-_/ ]/g, "");
