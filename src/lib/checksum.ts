import { OptionFault } from "./fault.ts";
import { type Digest, digests, toDigestName } from "./digests.ts";

/** A published digest. */
export interface Checksum {
  /** Undefined if neither a name nor the length determines it. */
  algorithm?: Digest;
  digest: Buffer;
  /** The file that it is for, if the line names one. */
  name?: string;
}

/** Longest line; it bounds the work of the patterns. */
const maxLine = 8192;

/**
 * Parses one digest or a whole checksum file, such as SHA256SUMS: its empty lines, its comments and the frame of a PGP
 * signature are skipped. The signature is not verified.
 * @throws OptionFault if a line has no digest.
 */
export function parseChecksums(text: string): Checksum[] {
  const lines = withoutSignature(text).split(/\r?\n|\r/);
  const checksums: Checksum[] = [];
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:[#;].*)?$/.test(line) || isFrame(line)) continue;
    const checksum = line.length > maxLine ? undefined : parseChecksum(line);
    if (checksum === undefined)
      throw new OptionFault(
        lines.length === 1
          ? "Must be a digest in hex or base64, a line of a checksum file, or the whole file."
          : `Line ${index + 1} has no digest; expected a line such as "<hex>  name" or "SHA256 (name) = <hex>".`,
      );
    checksums.push(checksum);
  }
  if (checksums.length === 0) throw new OptionFault("Has no digest.");
  return checksums;
}

/** Longest line that frames a digest: the name of a file in it has at most 4,096 bytes. */
const maxFrame = 8192;

/** Reports whether the line only frames the digest that PowerShell's Get-FileHash, as a table or as a list, or certutil prints. */
const isFrame = (line: string): boolean =>
  line.length <= maxFrame &&
  /^\s*(?:Algorithm\s+Hash\s+Path|-{3,}\s+-{3,}\s+-{3,}|(?:Algorithm|Path)\s+: .*|(?:SHA|MD)\d+ hash of .*|\w+: -hashfile command .*)\s*$/.test(
    line,
  );

/** Returns the text of a message signed in the clear (RFC 9580 §7), without its headers and its signature. */
function withoutSignature(text: string): string {
  const [, head] =
    /^\s*-----BEGIN PGP SIGNED MESSAGE-----\r?\n((?:\w{1,40}: .{0,200}\r?\n){0,20}\s)/.exec(text) ?? [];
  if (head === undefined) return text.trim();
  const from = text.indexOf(head) + head.length;
  const to = text.indexOf("-----BEGIN PGP SIGNATURE-----", from);
  return text.slice(from, to < 0 ? text.length : to).trim();
}

/**
 * Parses a digest in hexadecimal digits or base64: alone, as a line of sha256sum ("<hex>  name", with or
 * without "*"), in the BSD form ("SHA256 (name) = <hex>"), in the form of openssl dgst ("SHA2-256(name)=
 * <hex>"), after a name ("sha256:<hex>"), as SRI ("sha256-<base64>"), with colons or spaces between its bytes, or as Get-FileHash of PowerShell prints it.
 */
function parseChecksum(text: string): Checksum | undefined {
  const line = withoutSeparators(text.trim());
  const [, spelled = "", file, value = ""] =
    /^([A-Za-z\d/-]{3,12}) ?\((.*)\) ?= (\S+)$/su.exec(line) ??
    /^([A-Za-z\d/-]{3,12}):()(\S+)$/u.exec(line) ??
    /^(sha\d{3})-()(\S+)$/u.exec(line) ??
    toFields(/^([A-Z\d]{3,9})\s+([\dA-F]{32,128})(?:\s+(\S.*))?$/u.exec(line)) ??
    [];
  const meant = toDigestName(spelled, digests);
  const algorithm = digests.find((one) => one === meant);
  const digest = algorithm === undefined ? undefined : readDigest(value);
  if (algorithm !== undefined && digest !== undefined)
    return { algorithm, digest, ...(file && { name: file }) };
  const [, listed] = /^Hash\s+: ([\dA-F]{32,128})$/u.exec(line) ?? [];
  if (listed !== undefined) return parseChecksum(listed);
  const [, mark, hex, named] = /^(\\?)([\dA-Fa-f]+)[ \t]+\*?(\S.*)$/u.exec(line) ?? [];
  const bare = readDigest(hex ?? line);
  if (bare === undefined) return undefined;
  const common = byLength.get(bare.length);
  return {
    digest: bare,
    ...(common !== undefined && { algorithm: common }),
    ...(named !== undefined && { name: mark === "" ? named : unescapeName(named) }),
  };
}

/** Joins the bytes of a digest that colons or spaces separate, as in fingerprints and in certutil of old Windows. */
const withoutSeparators = (line: string): string =>
  /^[\da-f]{2}(?:[: ][\da-f]{2}){15,63}$/i.test(line) ? line.replaceAll(/[: ]/g, "") : line;

/** The fields of a row of Get-FileHash, in the order of the other forms. */
const toFields = (row: RegExpExecArray | null): string[] | undefined =>
  row === null ? undefined : [row[0], row[1] ?? "", row[3] ?? "", row[2] ?? ""];

/** sha256sum escapes a name that contains a backslash or a line end, and marks its line with a leading backslash. */
const unescapeName = (name: string): string =>
  name.replaceAll(/\\([\\nr])/g, (_, sign) => (sign === "n" ? "\n" : sign === "r" ? "\r" : "\\"));

/** The default function for each digest length in bytes. */
const byLength = new Map<number, Digest>([
  [16, "md5"],
  [20, "sha1"],
  [28, "sha224"],
  [32, "sha256"],
  [48, "sha384"],
  [64, "sha512"],
]);

function readDigest(text: string): Buffer | undefined {
  if (/^(?:[\dA-Fa-f]{2}){16,64}$/.test(text)) return Buffer.from(text, "hex");
  if (!/^[A-Za-z\d+/]{20,88}={0,2}$/.test(text) && !/^[\w-]{20,88}={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  const same =
    bytes.toString("base64url") === text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
  return same && bytes.length >= 16 ? bytes : undefined;
}
