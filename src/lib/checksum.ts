import { type Digest, digests } from "./digests.ts";

/** A published digest. */
export interface Checksum {
  /** Undefined if neither a name nor the length determines it. */
  algorithm?: Digest;
  digest: Buffer;
}

/**
 * Parses a digest in hexadecimal digits or base64: alone, as a line of sha256sum ("<hex>  name", with or
 * without "*"), in the BSD form ("SHA256 (name) = <hex>"), in the form of openssl dgst ("SHA2-256(name)=
 * <hex>"), after a name ("sha256:<hex>") or as SRI ("sha256-<base64>"). Undefined if the text is none of
 * them.
 */
export function parseChecksum(text: string): Checksum | undefined {
  const line = text.trim();
  // Several lines would be ambiguous.
  if (/[\r\n]/.test(line)) return undefined;
  const named =
    /^([A-Za-z\d/-]{3,12}) ?\(.*\) ?= (\S+)$/su.exec(line) ??
    /^([A-Za-z\d/-]{3,12}):(\S+)$/u.exec(line) ??
    /^(sha\d{3})-(\S+)$/u.exec(line);
  if (named !== null) {
    const algorithm = toDigest(named[1] as string);
    const digest = readDigest(named[2] as string);
    if (algorithm !== undefined && digest !== undefined) return { algorithm, digest };
  }
  // sha256sum escapes a line whose name contains a backslash or a line end, and marks it with a leading
  // backslash.
  const digest = readDigest(/^\\?([\dA-Fa-f]+)[ \t]+\*?\S/u.exec(line)?.[1] ?? line);
  if (digest === undefined) return undefined;
  const algorithm = byLength.get(digest.length);
  return { digest, ...(algorithm !== undefined && { algorithm }) };
}

/** The default function for each digest length in bytes. */
const byLength = new Map<number, Digest>([
  [16, "md5"],
  [20, "sha1"],
  [28, "sha224"],
  [32, "sha256"],
  [48, "sha384"],
  [64, "sha512"],
]);

function toDigest(name: string): Digest | undefined {
  const plain = name.toLowerCase().replaceAll("/", "-");
  const spelled = plain
    .replace(/^sha2?-(?=\d{2})/, "sha")
    .replace(/^(?:rmd|ripemd-)160$/, "ripemd160")
    .replace(/^(blake2[bs])-(?=\d)/, "$1")
    .replace(/^blake2b$/, "blake2b512");
  return digests.find((one) => one === spelled);
}

function readDigest(text: string): Buffer | undefined {
  if (/^(?:[\dA-Fa-f]{2}){16,64}$/.test(text)) return Buffer.from(text, "hex");
  if (!/^[A-Za-z\d+/]{20,88}={0,2}$/.test(text) && !/^[\w-]{20,88}={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  const same =
    bytes.toString("base64url") === text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
  return same && bytes.length >= 16 ? bytes : undefined;
}
