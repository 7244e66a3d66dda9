import { childrenOf, readDer } from "./der.ts";

const sequence = 0x30;
const integer = 0x02;
const bitString = 0x03;
const times = [0x17, 0x18];
/** `[0]`, the version. */
const explicitVersion = 0xa0;

/**
 * Reports whether bytes are one value in DER with the structure of a certificate (RFC 5280, section 4.1), without reading
 * what is in it.
 */
export function isCertificate(bytes: Buffer): boolean {
  try {
    const whole = readDer(bytes);
    if (whole.tag !== sequence || whole.raw.length !== bytes.length) return false;
    const [body, algorithm, signature, ...others] = childrenOf(whole);
    if (body?.tag !== sequence || algorithm?.tag !== sequence || signature?.tag !== bitString) return false;
    if (others.length > 0) return false;
    const parts = childrenOf(body);
    if (parts[0]?.tag === explicitVersion) parts.shift();
    const [serial, , , validity] = parts;
    return (
      serial?.tag === integer &&
      parts.length >= 6 &&
      parts.slice(1, 6).every(({ tag }) => tag === sequence) &&
      validity !== undefined &&
      childrenOf(validity).length === 2 &&
      childrenOf(validity).every(({ tag }) => times.includes(tag))
    );
  } catch {
    return false;
  }
}
