import { childrenOf, type Der, readDer, toOid, toText } from "./der.ts";
import { toColonHex } from "./hex.ts";
import { toName } from "./name.ts";

/** The extensions of a certificate (RFC 5280 §4.2.1). */
export interface Extensions {
  /** With the kind as a prefix: DNS:, IP:, email:, URI:, dirName:, RID: or other. */
  subjectAltNames: string[];
  keyUsage: string[];
  extendedKeyUsage: string[];
  pathLength: number | null;
  subjectKeyId: string | null;
  authorityKeyId: string | null;
}

/**
 * Reads the common extensions; ignores the others.
 * @throws DocumentFault
 */
export function readExtensions(list: Der | undefined): Extensions {
  const found = new Map<string, Der>();
  for (const extension of list === undefined ? [] : childrenOf(list)) {
    const parts = childrenOf(extension);
    const [id] = parts;
    // The `critical` flag may come between both.
    const value = parts.at(-1);
    if (id !== undefined && value !== undefined) found.set(toOid(id.content), readDer(value.content));
  }
  const get = (id: string): Der[] => {
    const value = found.get(id);
    return value === undefined ? [] : childrenOf(value);
  };
  const subjectKeyId = found.get("2.5.29.14");
  const authorityKeyId = get("2.5.29.35").find(({ tag }) => tag === 0x80);
  const pathLength = get("2.5.29.19").find(({ tag }) => tag === 0x02)?.content;
  return {
    subjectAltNames: get("2.5.29.17").map(toGeneralName),
    keyUsage: toUsages(found.get("2.5.29.15")?.content),
    extendedKeyUsage: get("2.5.29.37").map(({ content }) => purposes[toOid(content)] ?? toOid(content)),
    pathLength:
      pathLength === undefined || pathLength.length > 4 ? null : pathLength.readUIntBE(0, pathLength.length),
    subjectKeyId: subjectKeyId === undefined ? null : toColonHex(subjectKeyId.content),
    authorityKeyId: authorityKeyId === undefined ? null : toColonHex(authorityKeyId.content),
  };
}

function toGeneralName(name: Der): string {
  switch (name.tag) {
    case 0x81:
      return `email:${toText(name)}`;
    case 0x82:
      return `DNS:${toText(name)}`;
    case 0x86:
      return `URI:${toText(name)}`;
    case 0x87:
      return `IP:${toAddress(name.content)}`;
    case 0x88:
      return `RID:${toOid(name.content)}`;
    case 0xa4:
      return `dirName:${toName(readDer(name.content))}`;
    default:
      return "other";
  }
}

const usages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
];

/** A BIT STRING: the number of unused bits in the last byte, then the bits, highest first. */
const toUsages = (bits: Buffer | undefined): string[] =>
  bits === undefined
    ? []
    : usages.filter((_, index) => ((bits[1 + (index >> 3)] ?? 0) >> (7 - (index & 7))) & 1);

const purposes: Record<string, string> = {
  "1.3.6.1.5.5.7.3.1": "serverAuth",
  "1.3.6.1.5.5.7.3.2": "clientAuth",
  "1.3.6.1.5.5.7.3.3": "codeSigning",
  "1.3.6.1.5.5.7.3.4": "emailProtection",
  "1.3.6.1.5.5.7.3.8": "timeStamping",
  "1.3.6.1.5.5.7.3.9": "OCSPSigning",
  "2.5.29.37.0": "anyExtendedKeyUsage",
};

/**
 * Formats four or sixteen bytes as an address, IPv6 in the short form of RFC 5952; anything else as
 * bytes in hexadecimal.
 */
function toAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return toColonHex(bytes);
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(
    ":",
  );
  // URL implements RFC 5952.
  return new URL(`http://[${groups}]/`).hostname.slice(1, -1);
}
