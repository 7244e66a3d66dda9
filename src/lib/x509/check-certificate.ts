import type { X509Certificate } from "node:crypto";
import { commonNameOf } from "./name.ts";
import { childOf, childrenOf, readDer } from "./der.ts";
import { daysLeft, validityOf } from "./describe.ts";
import { toColonHex } from "./hex.ts";

export interface CertificateIssue {
  rule: "expired" | "expires-soon" | "not-yet-valid" | "unreadable-time" | "host-mismatch";
  message: string;
}

/** Returns what is wrong with a certificate's period of validity, and whether fewer than `days` are left. */
export function checkValidity(certificate: X509Certificate, now: number, days: number): CertificateIssue[] {
  const { from, to } = validityOf(certificate);
  const left = daysLeft(certificate, now);
  const name = nameOf(certificate);
  if (left === null || Number.isNaN(from.getTime()))
    return [{ rule: "unreadable-time", message: `${name} has a period of validity that cannot be read.` }];
  const end = to.toISOString();
  if (now > to.getTime()) return [{ rule: "expired", message: `${name} expired ${end}.` }];
  const issues: CertificateIssue[] = [];
  if (now < from.getTime())
    issues.push({ rule: "not-yet-valid", message: `${name} is not valid before ${from.toISOString()}.` });
  if (to.getTime() - now < days * 86_400_000)
    issues.push({
      rule: "expires-soon",
      message: `${name} expires ${end}, in ${left} days; ${days} are required.`,
    });
  return issues;
}

/** Checks that a certificate is valid for a host, by its subject alternative names only (RFC 9525). */
export function checkHost(certificate: X509Certificate, host: string): CertificateIssue[] {
  if (isFor(certificate, host)) return [];
  const names = certificate.subjectAltName?.slice(0, 200) ?? "no host at all";
  return [
    {
      rule: "host-mismatch",
      message: `${nameOf(certificate)} is not for ${printable(host)}; it is for ${printable(names)}.`,
    },
  ];
}

function isFor(certificate: X509Certificate, host: string): boolean {
  try {
    return host.includes(":") || /^[\d.]+$/.test(host)
      ? certificate.checkIP(host) !== undefined
      : certificate.checkHost(host, { subject: "never" }) !== undefined;
  } catch {
    // Node throws for a host that is neither a name nor an address; no certificate is valid for it.
    return false;
  }
}

/** Names a certificate for a message. */
function nameOf(certificate: X509Certificate): string {
  const fields = childrenOf(childOf(readDer(certificate.raw), 0, 0x30));
  const subject = fields[fields[0]?.tag === 0xa0 ? 5 : 4];
  const name = subject && commonNameOf(subject);
  return name === undefined
    ? `The certificate ${toColonHex(certificate.serialNumber)}`
    : `The certificate of ${printable(name.slice(0, 100))}`;
}

const printable = (text: string): string => text.replace(/[\p{C}]/gu, "?");
