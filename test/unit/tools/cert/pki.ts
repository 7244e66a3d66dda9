import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** The fields of a test certificate; the rest is as short as X.509 allows. */
export interface Wanted {
  /** Common names in order. */
  subject: string;
  issuer?: string;
  notBefore?: string;
  notAfter?: string;
  dns?: string[];
  ca?: boolean;
}

export interface Pair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export const createPair = (): Pair => generateKeyPairSync("ed25519");

/** A key pair that is the same in every run: Ed25519 from a seed of 32 equal bytes, in PKCS #8 (RFC 8410 §7). */
export function fixedPair(byte: number): Pair {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const privateKey = createPrivateKey(toPem("PRIVATE KEY", Buffer.concat([head, Buffer.alloc(32, byte)])));
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Writes and signs a certificate (RFC 5280 §4.1). */
export function createCertificate(wanted: Wanted, pair: Pair, issuer: Pair = pair): Buffer {
  const {
    subject,
    notBefore = "20250101000000Z",
    notAfter = "20270101000000Z",
    dns = [],
    ca = false,
  } = wanted;
  const extensions = [
    ...(dns.length === 0
      ? []
      : [extension("551d11", sequence(...dns.map((name) => der(0x82, Buffer.from(name)))))]),
    ...(ca ? [extension("551d13", sequence(der(0x01, Buffer.from([0xff]))))] : []),
  ];
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ed25519,
    toName(wanted.issuer ?? subject),
    sequence(der(0x18, Buffer.from(notBefore)), der(0x18, Buffer.from(notAfter))),
    toName(subject),
    pair.publicKey.export({ type: "spki", format: "der" }),
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  );
  return signed(body, issuer);
}

/** Writes and signs a certificate request (RFC 2986 §4). */
export function createRequest(subject: string, pair: Pair): Buffer {
  const key = pair.publicKey.export({ type: "spki", format: "der" });
  return signed(sequence(der(0x02, Buffer.from([0])), toName(subject), key, der(0xa0)), pair);
}

export const toPem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${label}-----\n`;

/** One value in DER. */
export function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);

const ed25519 = sequence(der(0x06, Buffer.from("2b6570", "hex")));

const toName = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(commonName)))));

const extension = (oid: string, value: Buffer): Buffer =>
  sequence(der(0x06, Buffer.from(oid, "hex")), der(0x04, value));

const signed = (body: Buffer, { privateKey }: Pair): Buffer =>
  sequence(body, ed25519, der(0x03, Buffer.from([0]), sign(null, body, privateKey)));
