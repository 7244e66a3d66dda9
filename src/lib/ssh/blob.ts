import { DocumentFault } from "../fault.ts";
import { findNumbersWeakness, findPointWeakness, isOnCurve, toNumber } from "../weak-keys.ts";

/** A parsed public key. */
export interface SshKey {
  type: string;
  bits: number;
  curve?: string;
  /** The reason why a valid key gives no security. */
  weakness?: string;
}

/**
 * Parses a public key in wire format (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4).
 * @throws DocumentFault
 */
export function readBlob(blob: Buffer): SshKey {
  const read = createReader(blob);
  const type = read.text();
  const key = isKeyType(type) ? shapes[type]?.(read) : undefined;
  if (key === undefined) throw new DocumentFault(`The key type ${printable(type)} is unknown.`);
  if (!read.atEnd()) throw new DocumentFault("There is data after the key within its bytes.");
  return { type, ...key };
}

interface Reader {
  bytes(): Buffer;
  text(): string;
  /**
   * Returns the bytes of a number without the zero before its sign; it must be positive and in its shortest
   * form.
   */
  number(): Buffer;
  atEnd(): boolean;
}

const shapes: Record<string, ((read: Reader) => Omit<SshKey, "type">) | undefined> = {
  "ssh-rsa"(read) {
    const exponent = toNumber(read.number());
    const modulus = read.number();
    if (modulus.length > 2048)
      throw new DocumentFault("The RSA key is longer than OpenSSH reads: 16384 bits.");
    const weakness = findNumbersWeakness(toNumber(modulus), exponent);
    return { bits: bitsOf(modulus), ...(weakness !== undefined && { weakness }) };
  },
  "ssh-dss"(read) {
    const bits = bitsOf(read.number());
    for (let index = 0; index < 3; index++) read.number();
    return { bits };
  },
  "ecdsa-sha2-nistp256": (read) => readPoint(read, "nistp256", 256),
  "ecdsa-sha2-nistp384": (read) => readPoint(read, "nistp384", 384),
  "ecdsa-sha2-nistp521": (read) => readPoint(read, "nistp521", 521),
  "ssh-ed25519": readEd25519,
  "ssh-ed448": (read) => readExact(read, 57, 448),
  // Keys on a security token end with the name of the application (OpenSSH, PROTOCOL.u2f).
  "sk-ecdsa-sha2-nistp256@openssh.com"(read) {
    const key = readPoint(read, "nistp256", 256);
    read.bytes();
    return key;
  },
  "sk-ssh-ed25519@openssh.com"(read) {
    const key = readEd25519(read);
    read.bytes();
    return key;
  },
};

export const isKeyType = (text: string): boolean => Object.hasOwn(shapes, text);

function readPoint(read: Reader, curve: string, bits: number): Omit<SshKey, "type"> {
  if (read.text() !== curve) throw new DocumentFault("The curve does not match the key type.");
  const point = read.bytes();
  // RFC 5656 §3.1 allows compressed points; no implementation writes them.
  if (point.length !== 1 + 2 * Math.ceil(bits / 8) || point[0] !== 4)
    throw new DocumentFault(`The point on the curve ${curve} has the wrong length or form.`);
  if (!isOnCurve(point.subarray(1), curve))
    throw new DocumentFault(`The point is not on the curve ${curve}.`);
  return { bits, curve };
}

function readEd25519(read: Reader): Omit<SshKey, "type"> {
  const point = read.bytes();
  if (point.length !== 32) throw new DocumentFault("The key must have 32 bytes.");
  const weakness = findPointWeakness(point);
  return { bits: 256, ...(weakness !== undefined && { weakness }) };
}

function readExact(read: Reader, length: number, bits: number): Omit<SshKey, "type"> {
  if (read.bytes().length !== length) throw new DocumentFault(`The key must have ${length} bytes.`);
  return { bits };
}

function createReader(blob: Buffer): Reader {
  let at = 0;
  const bytes = (): Buffer => {
    const length = at + 4 <= blob.length ? blob.readUInt32BE(at) : Infinity;
    if (length > blob.length - at - 4)
      throw new DocumentFault("The bytes of the key end too early: it was cut off.");
    at += 4 + length;
    return blob.subarray(at - length, at);
  };
  return {
    bytes,
    text: () => bytes().toString("latin1"),
    number() {
      const value = bytes();
      const [first = 0, second = 0] = value;
      if (first >= 0x80 || value.length === 0 || (first === 0 && second < 0x80))
        throw new DocumentFault("A number of the key is not positive, or not in its shortest form.");
      return first === 0 ? value.subarray(1) : value;
    },
    atEnd: () => at === blob.length,
  };
}

/** `clz32` counts the zeros before the first bit among 32. */
const bitsOf = (value: Buffer): number => value.length * 8 - (Math.clz32(value[0] ?? 0) - 24);

const printable = (text: string): string => JSON.stringify(text.slice(0, 40).replace(/[^\x20-\x7e]/g, "?"));
