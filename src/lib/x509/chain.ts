import type { X509Certificate } from "node:crypto";
import { publicKeyOf } from "./describe.ts";

/** Most certificates of one name: more are an attack, since each costs a verification for each. */
const maxCandidates = 8;

/** For each certificate, returns the index of the one that signed it, possibly itself; null if none did. */
export function findIssuers(certificates: readonly X509Certificate[]): (number | null)[] {
  const bySubject = new Map<string, number[]>();
  for (const [index, { subject }] of certificates.entries()) {
    const same = bySubject.get(subject ?? "");
    if (same === undefined) bySubject.set(subject ?? "", [index]);
    else if (same.length < maxCandidates) same.push(index);
  }
  return certificates.map((certificate, at) => {
    const candidates = bySubject.get(certificate.issuer ?? "") ?? [];
    // Tries the next one first: a root sent twice signs itself from either place.
    const order = candidates.includes(at + 1) ? [at + 1, ...candidates] : candidates;
    return order.find((index) => isSignedBy(certificate, certificates[index] as X509Certificate)) ?? null;
  });
}

export const isSelfSigned = (certificate: X509Certificate): boolean => isSignedBy(certificate, certificate);

/** Reports whether each is signed by the next one, as servers must send them (RFC 5246 §7.4.2). */
export const isOrdered = (issuers: readonly (number | null)[]): boolean =>
  issuers.every((issuer, index) => index === issuers.length - 1 || issuer === index + 1);

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const key = publicKeyOf(issuer);
  if (key === undefined || !certificate.checkIssued(issuer)) return false;
  try {
    return certificate.verify(key);
  } catch {
    // The signature algorithm is unknown, or no longer allowed.
    return false;
  }
}
