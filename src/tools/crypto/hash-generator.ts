import { createHash, hash } from "node:crypto";
import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { dataEncoding, toBytes } from "../bytes.ts";
import { digestLength } from "../digest-length.ts";
import { createDigestRun } from "../digest-run.ts";
import { digestName } from "../digest-name.ts";

const sha2 = ["sha224", "sha256", "sha384", "sha512", "sha512-224", "sha512-256"] as const;
const sha3 = ["sha3-224", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"] as const;
const keccak = ["keccak-224", "keccak-256", "keccak-384", "keccak-512"] as const;
const others = ["blake2b512", "blake2s256", "ripemd160", "sm3", "sha1", "md5"] as const;

const input = z.object({
  data: z.string().describe("The text or, with dataEncoding, bytes to hash, exactly as given"),
  dataEncoding,
  algorithm: digestName([...sha2, ...sha3, ...keccak, ...others])
    .default("sha256")
    .describe("Hash function; md5 and sha1 are broken, use them for legacy checksums only"),
  outputEncoding: z.enum(["hex", "base64", "base64url"]).default("hex").describe("Encoding of the digest"),
  outputLength: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe("Digest length in bytes, for shake128 (defaults to 32) and shake256 (defaults to 64) only"),
});

export default defineTool({
  slug: "hash-generator",
  title: "Hash generator",
  version: "1.1.0",
  summary: "Compute the SHA-2, SHA-3, BLAKE2, MD5 or other digest of text or bytes.",
  page: {
    tile: "SHA-256, MD5 and 20 more at once",
    view: "digests",
    options: ["dataEncoding", "outputEncoding"],
    labels: { data: "Text or file" },
  },
  accepts: "text or bytes",
  aliases:
    "md5, sha1, sha-1, sha256, sha-256, sha512, sha-512, sha384, sha224, sha3, keccak, blake2, blake2b, ripemd, md5sum, sha1sum, sha256sum, sha512sum, b2sum, shasum, openssl dgst, digest, checksum, message digest, hash text, hash file, fingerprint of a file, hashlib, hash calculator, get-filehash, certutil -hashfile",
  input,
  examples: [
    {
      input: { data: "abc" },
      result: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    },
    {
      title: "Binary data",
      input: { data: "/v8=", dataEncoding: "base64", algorithm: "md5" },
      result: "f006096956b5062f8efb72af4df59bc2",
    },
    {
      title: "An extendable-output function",
      input: { data: "", algorithm: "shake128", outputLength: 8, outputEncoding: "base64url" },
      result: "f5wrpOiPgn0",
    },
  ],
  run: ({ data, ...options }) => digest(data, options),
  maxBytes: maxDocument,
  runBytes: digest,
  runBlocks: ({ dataEncoding: encoding, ...options }) =>
    createDigestRun(
      encoding,
      () => createHash(options.algorithm, digestLength(options)),
      (state) => state.digest(options.outputEncoding),
    ),
});

type Options = Omit<z.output<typeof input>, "data">;

function digest(data: string | Uint8Array, options: Options): string {
  const { algorithm, outputEncoding } = options;
  const bytes = toBytes(data, options.dataEncoding);
  const { outputLength } = digestLength(options);
  return hash(
    algorithm,
    bytes,
    outputLength === undefined ? outputEncoding : { outputEncoding, outputLength },
  );
}
