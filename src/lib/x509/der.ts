import { DocumentFault } from "../fault.ts";

/** One DER value (X.690): its tag byte, its content, and all its bytes. */
export interface Der {
  tag: number;
  content: Buffer;
  raw: Buffer;
}

/** The rule for bytes that are not DER, or not the expected structure. */
export const notDer = "der";

const outsideX509 = (): DocumentFault =>
  new DocumentFault("The inside of a certificate is not as X.509 has it.", { offset: 0 }, notDer);

/**
 * Returns the value that begins at an offset.
 * @throws DocumentFault
 */
export function readDer(bytes: Buffer, at = 0): Der {
  const tag = bytes[at];
  const first = bytes[at + 1];
  // Certificates contain neither tags of several bytes nor lengths of more than four.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw outsideX509();
  const extra = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || extra > 4 || at + 2 + extra > bytes.length) throw outsideX509();
  const from = at + 2 + extra;
  const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra);
  if (from + length > bytes.length) throw outsideX509();
  return { tag, content: bytes.subarray(from, from + length), raw: bytes.subarray(at, from + length) };
}

/** Returns the values inside a SEQUENCE, SET or explicit tag. */
export function childrenOf({ content }: Der): Der[] {
  const children: Der[] = [];
  for (let at = 0; at < content.length;) {
    const child = readDer(content, at);
    children.push(child);
    at += child.raw.length;
  }
  return children;
}

/**
 * Returns the child at an index.
 * @throws DocumentFault if it does not have that tag.
 */
export function childOf(parent: Der, index: number, tag: number): Der {
  const child = childrenOf(parent)[index];
  if (child === undefined || child.tag !== tag) throw outsideX509();
  return child;
}

/** Returns an object identifier in dotted notation. */
export function toOid(content: Buffer): string {
  const numbers: bigint[] = [];
  let value = 0n;
  for (const byte of content.subarray(0, 64)) {
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) {
      if (numbers.length === 0) {
        const top = value < 80n ? value / 40n : 2n;
        numbers.push(top, value - top * 40n);
      } else numbers.push(value);
      value = 0n;
    }
  }
  return numbers.join(".");
}

/** Decodes an ASN.1 string type, with control characters replaced. */
export function toText({ tag, content }: Der): string {
  return decode(tag, content).replace(/[\p{Cc}\p{Cs}]/gu, "\uFFFD");
}

function decode(tag: number, content: Buffer): string {
  if (tag === 0x0c) return content.toString("utf8");
  // BMPString is big-endian UTF-16.
  if (tag === 0x1e) return new TextDecoder("utf-16be").decode(content);
  return content.toString("latin1");
}
