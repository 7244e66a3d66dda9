/** The bytes of a key are not what the protocol has (RFC 4253 §6.6). */
export class BlobError extends Error {
  override readonly name = "BlobError";
}

/** What a public key is, as far as its bytes say. */
export interface SshKey {
  type: string;
  bits: number;
  curve?: string;
}

/** Reads the public key of the wire (RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4). @throws BlobError */
export function readBlob(blob: Buffer): SshKey {
  const read = createReader(blob);
  const type = read.text();
  const key = isKeyType(type) ? shapes[type]?.(read) : undefined;
  if (key === undefined) throw new BlobError(`The key type ${printable(type)} is not known.`);
  if (!read.atEnd()) throw new BlobError("Something follows the key within its bytes.");
  return { type, ...key };
}

interface Reader {
  bytes(): Buffer;
  text(): string;
  /** How many bits a number has; it must be positive and in its shortest form. */
  number(): number;
  atEnd(): boolean;
}

const shapes: Record<string, ((read: Reader) => Omit<SshKey, "type">) | undefined> = {
  "ssh-rsa"(read) {
    read.number();
    return { bits: read.number() };
  },
  "ssh-dss"(read) {
    const bits = read.number();
    for (let index = 0; index < 3; index++) read.number();
    return { bits };
  },
  "ecdsa-sha2-nistp256": (read) => readPoint(read, "nistp256", 256),
  "ecdsa-sha2-nistp384": (read) => readPoint(read, "nistp384", 384),
  "ecdsa-sha2-nistp521": (read) => readPoint(read, "nistp521", 521),
  "ssh-ed25519": (read) => readExact(read, 32, 256),
  "ssh-ed448": (read) => readExact(read, 57, 448),
  // Keys on a security token end with the name of the application (OpenSSH, PROTOCOL.u2f).
  "sk-ecdsa-sha2-nistp256@openssh.com"(read) {
    const key = readPoint(read, "nistp256", 256);
    read.bytes();
    return key;
  },
  "sk-ssh-ed25519@openssh.com"(read) {
    const key = readExact(read, 32, 256);
    read.bytes();
    return key;
  },
};

export const isKeyType = (text: string): boolean => Object.hasOwn(shapes, text);

function readPoint(read: Reader, curve: string, bits: number): Omit<SshKey, "type"> {
  if (read.text() !== curve) throw new BlobError("The curve is another than that of the key type.");
  const point = read.bytes();
  // RFC 5656 §3.1 allows compressed points; no implementation writes them.
  if (point.length !== 1 + 2 * Math.ceil(bits / 8) || point[0] !== 4)
    throw new BlobError(`The point on the curve ${curve} has the wrong length or form.`);
  return { bits, curve };
}

function readExact(read: Reader, length: number, bits: number): Omit<SshKey, "type"> {
  if (read.bytes().length !== length) throw new BlobError(`The key must have ${length} bytes.`);
  return { bits };
}

function createReader(blob: Buffer): Reader {
  let at = 0;
  const bytes = (): Buffer => {
    const length = at + 4 <= blob.length ? blob.readUInt32BE(at) : Infinity;
    if (length > blob.length - at - 4)
      throw new BlobError("The bytes of the key end too early: it was cut off.");
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
        throw new BlobError("A number of the key is not positive, or not in its shortest form.");
      // `clz32` counts the zeros before the first bit among 32; a zero byte of its own is all zeros.
      return first === 0 ? value.length * 8 - 8 : value.length * 8 - (Math.clz32(first) - 24);
    },
    atEnd: () => at === blob.length,
  };
}

const printable = (text: string): string => JSON.stringify(text.slice(0, 40).replace(/[^\x20-\x7e]/g, "?"));
