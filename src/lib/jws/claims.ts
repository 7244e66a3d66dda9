import { findObjectFault } from "./split.ts";
import type { TokenFault } from "./verify.ts";

export interface ClaimsPolicy {
  issuer?: string | undefined;
  audience?: string | undefined;
  /** Seconds by which clocks may differ. */
  clockTolerance: number;
  /** Epoch seconds. */
  now: number;
}

/** Validates the claims of a token (RFC 7519 §4.1), without its signature. */
export function validateClaims(payload: Uint8Array, policy: ClaimsPolicy): TokenFault[] {
  const fault = findObjectFault(payload);
  if (fault !== undefined) return [{ rule: "malformed-claims", message: `The payload ${fault}.` }];
  const claims = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
  const { clockTolerance, now } = policy;
  const faults: TokenFault[] = [];
  const time = (name: "exp" | "nbf" | "iat"): number | undefined => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (value === undefined || Number.isFinite(value)) return value as number | undefined;
    faults.push({ rule: "malformed-claims", message: `The claim ${name} is not a number of seconds.` });
    return undefined;
  };
  const exp = time("exp");
  if (exp !== undefined && now >= exp + clockTolerance)
    faults.push({ rule: "expired", message: `The token expired ${toTime(exp)}.` });
  const nbf = time("nbf");
  if (nbf !== undefined && now < nbf - clockTolerance)
    faults.push({ rule: "not-yet-valid", message: `The token is not valid before ${toTime(nbf)}.` });
  const iat = time("iat");
  if (iat !== undefined && now < iat - clockTolerance)
    faults.push({
      rule: "issued-in-future",
      message: `The token was issued ${toTime(iat)}, later than now.`,
      severity: "warning",
    });
  return [...faults, ...validateParties(claims, policy)];
}

function validateParties(claims: Record<string, unknown>, { issuer, audience }: ClaimsPolicy): TokenFault[] {
  const faults: TokenFault[] = [];
  const { iss, aud } = claims;
  if (issuer !== undefined && iss !== issuer)
    faults.push({
      rule: "issuer-mismatch",
      message: iss === undefined ? "The token has no issuer (iss)." : "The issuer (iss) does not match.",
    });
  if (audience !== undefined && !(Array.isArray(aud) ? aud : [aud]).includes(audience))
    faults.push({
      rule: "audience-mismatch",
      message: aud === undefined ? "The token has no audience (aud)." : "The audience (aud) does not match.",
    });
  return faults;
}

/** Writes a NumericDate as RFC 3339, or unchanged if no date can represent it. */
export const toTime = (seconds: number): string =>
  Math.abs(seconds) < 8.64e12 ? new Date(seconds * 1000).toISOString() : `${seconds}`;

/** Adds exp, and iat if absent, to the minified text of a claims set. */
export function addTimes(
  text: string,
  claims: Record<string, unknown>,
  expiresIn: number | undefined,
  now: number,
): string {
  if (expiresIn === undefined) return text;
  const seconds = Math.floor(now / 1000);
  const members = [
    text.slice(1, -1),
    Object.hasOwn(claims, "iat") ? "" : `"iat":${seconds}`,
    `"exp":${seconds + expiresIn}`,
  ];
  return `{${members.filter(Boolean).join(",")}}`;
}
