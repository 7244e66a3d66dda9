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
