import { blake2b, blake2s } from "@noble/hashes/blake2.js";
import { hmac } from "@noble/hashes/hmac.js";
import { md5, ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from "@noble/hashes/sha2.js";
import {
  keccak_224,
  keccak_256,
  keccak_384,
  keccak_512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  shake128,
  shake256,
} from "@noble/hashes/sha3.js";
import type { CHash } from "@noble/hashes/utils.js";
import { Buffer, type Encoding } from "./buffer.ts";
import { sm3 } from "./sm3.ts";

/** The hash functions of tools, by Node's names. */
const functions: Readonly<Record<string, CHash>> = {
  sha224,
  sha256,
  sha384,
  sha512,
  "sha512-224": sha512_224,
  "sha512-256": sha512_256,
  "sha3-224": sha3_224,
  "sha3-256": sha3_256,
  "sha3-384": sha3_384,
  "sha3-512": sha3_512,
  "keccak-224": keccak_224,
  "keccak-256": keccak_256,
  "keccak-384": keccak_384,
  "keccak-512": keccak_512,
  blake2b512: blake2b,
  blake2s256: blake2s,
  ripemd160,
  sm3,
  sha1,
  md5,
};

const extendable = { shake128, shake256 };

type Output = Encoding | "buffer";

/** @param output Encoding of the digest, or its length in bytes too for the functions of any length. */
export function hash(
  name: string,
  data: string | Uint8Array,
  output: Output | { outputEncoding: Output; outputLength: number } = "hex",
): string | Buffer {
  const bytes = toBytes(data);
  if (typeof output === "string") return encode(find(name)(bytes), output);
  const { outputEncoding, outputLength } = output;
  const make = extendable[name as keyof typeof extendable];
  return encode(make(bytes, { dkLen: outputLength }), outputEncoding);
}

interface Running {
  update(data: string | Uint8Array): Running;
  digest(output?: Output): string | Buffer;
}

export const createHash = (name: string): Running => toRunning(find(name).create());

export const createHmac = (name: string, key: string | Uint8Array): Running =>
  toRunning(hmac.create(find(name), toBytes(key)));

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError("Input buffers must have the same byte length");
  let difference = 0;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] as number);
  return difference === 0;
}

function find(name: string): CHash {
  const found = functions[name.toLowerCase()];
  if (found === undefined) throw new Error(`Digest method not supported: ${name}`);
  return found;
}

function toRunning(state: { update(bytes: Uint8Array): unknown; digest(): Uint8Array }): Running {
  const running: Running = {
    update(data) {
      state.update(toBytes(data));
      return running;
    },
    digest: (output = "buffer") => encode(state.digest(), output),
  };
  return running;
}

const toBytes = (data: string | Uint8Array): Uint8Array =>
  typeof data === "string" ? Buffer.from(data) : data;

function encode(digest: Uint8Array, output: Output): string | Buffer {
  const bytes = Buffer.from(digest);
  return output === "buffer" ? bytes : bytes.toString(output);
}
