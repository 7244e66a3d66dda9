import { hash, type KeyObject, type X509Certificate } from "node:crypto";
import { childOf, childrenOf, readDer } from "./der.ts";
import { findWeakness } from "../weak-key-objects.ts";
import { readExtensions } from "./extensions.ts";
import { toColonHex } from "./hex.ts";
import { commonNameOf, toName } from "./name.ts";
import { defined } from "../defined.ts";

const day = 86_400_000;

/**
 * Describes a certificate by itself, without its chain.
 * @throws DocumentFault
 */
export function describeCertificate(certificate: X509Certificate, now: number): Record<string, unknown> {
  const fields = childrenOf(childOf(readDer(certificate.raw), 0, 0x30));
  // The version comes first, but is omitted if it is 1.
  const [issuer, , subject, key] = fields.slice(fields[0]?.tag === 0xa0 ? 3 : 2);
  const extensions = fields.find(({ tag }) => tag === 0xa3);
  const { subjectAltNames, ...rest } = readExtensions(extensions && childOf(extensions, 0, 0x30));
  return {
    subject: subject && toName(subject),
    commonName: (subject && commonNameOf(subject)) ?? null,
    subjectAltNames,
    issuer: issuer && toName(issuer),
    serialNumber: toColonHex(certificate.serialNumber),
    notBefore: toTime(validityOf(certificate).from),
    notAfter: toTime(validityOf(certificate).to),
    daysLeft: daysLeft(certificate, now),
    key: describeKey(certificate),
    signatureAlgorithm: certificate.signatureAlgorithm ?? certificate.signatureAlgorithmOid,
    ca: certificate.ca,
    ...rest,
    fingerprintSha256: certificate.fingerprint256,
    fingerprintSha1: certificate.fingerprint,
    publicKeySha256: key && hash("sha256", key.raw, "base64"),
  };
}

/**
 * Returns the period of validity; an invalid date for a time that does not exist, such as a 13th month. Only
 * OpenSSL's text reveals that: Node's Date then comes from uninitialized memory.
 */
export function validityOf(certificate: X509Certificate): { from: Date; to: Date } {
  const read = (text: string, date: Date): Date =>
    text.startsWith("Bad time") ? new Date(Number.NaN) : date;
  return {
    from: read(certificate.validFrom, certificate.validFromDate),
    to: read(certificate.validTo, certificate.validToDate),
  };
}

/** Returns the whole days until the end, negative after it; null if a time is unreadable. */
export function daysLeft(certificate: X509Certificate, now: number): number | null {
  const days = Math.floor((validityOf(certificate).to.getTime() - now) / day);
  return Number.isFinite(days) ? days : null;
}

/** Returns the public key, or undefined if OpenSSL does not support its type. */
export function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

const toTime = (date: Date): string | null => (Number.isFinite(date.getTime()) ? date.toISOString() : null);

function describeKey(certificate: X509Certificate): Record<string, unknown> {
  const key = publicKeyOf(certificate);
  if (key === undefined) return { type: "unknown" };
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const weakness = findWeakness(key);
  return {
    type: key.asymmetricKeyType,
    ...defined({ bits: modulusLength, curve: namedCurve, weakness }),
  };
}
