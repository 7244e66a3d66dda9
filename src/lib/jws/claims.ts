import { fromJson } from "../data/from-json.ts";
import { equalValues } from "../data/equal.ts";
import { type Dictionary, isDictionary, isList } from "../data/value.ts";
import { findObjectFault } from "./split.ts";
import type { TokenFault } from "./verify.ts";

export interface ClaimsPolicy {
  issuer?: string | undefined;
  audience?: string | undefined;
  subject?: string | undefined;
  /** Seconds since iat. */
  maxAge?: number | undefined;
  /** Claims that the token must have with these values; a list in the token must contain the value. */
  required?: Dictionary | undefined;
  /** Names of claims that the token must have. */
  requiredNames?: readonly string[];
  /** Seconds by which clocks may differ. */
  clockTolerance: number;
  /** Epoch seconds. */
  now: number;
}

/** Returns what is unusual about a time: RFC 7519 §2 counts seconds, and some programs write milliseconds. */
export const hintFor = (name: string, value: number): string[] =>
  Math.abs(value) >= 1e11 ? [`${name} seems to be in milliseconds; a token counts in seconds.`] : [];

/** Validates the claims of a token (RFC 7519 §4.1), without its signature. */
export function validateClaims(payload: Uint8Array, policy: ClaimsPolicy): TokenFault[] {
  const fault = findObjectFault(payload);
  if (fault !== undefined) return [{ rule: "malformed-claims", message: `The payload ${fault}.` }];
  const claims = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
  const { clockTolerance, now } = policy;
  const faults: TokenFault[] = [];
  const time = (name: "exp" | "nbf" | "iat"): number | undefined => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (value === undefined || Number.isFinite(value)) {
      for (const message of hintFor(name, Number(value ?? 0)))
        faults.push({ rule: "milliseconds", message, severity: "warning" });
      return value as number | undefined;
    }
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
  if (policy.maxAge !== undefined) faults.push(...validateAge(iat, policy.maxAge, policy));
  return [...faults, ...validateParties(claims, policy), ...validateRequired(payload, policy)];
}

function validateAge(
  iat: number | undefined,
  maxAge: number,
  { clockTolerance, now }: ClaimsPolicy,
): TokenFault[] {
  if (iat === undefined)
    return [{ rule: "too-old", message: "The token has no time of issue (iat), which maxAge needs." }];
  if (now <= iat + maxAge + clockTolerance) return [];
  const age = Math.floor(now - iat);
  return [{ rule: "too-old", message: `The token was issued ${age} seconds ago; maxAge allows ${maxAge}.` }];
}

/** Compares in the lossless model, so that numbers beyond 2⁵³ are not equal to their neighbours. */
function validateRequired(payload: Uint8Array, { required, requiredNames = [] }: ClaimsPolicy): TokenFault[] {
  if (required === undefined && requiredNames.length === 0) return [];
  const claims = fromJson(Buffer.from(payload).toString());
  if (!isDictionary(claims)) return [];
  const faults = requiredNames
    .filter((name) => !claims.has(name) && required?.has(name) !== true)
    .map((name) => missing(name));
  for (const [name, wanted] of required ?? []) {
    const value = claims.get(name);
    if (value === undefined) faults.push(missing(name));
    else if (!equalValues(value, wanted) && !(isList(value) && value.some((one) => equalValues(one, wanted))))
      faults.push({ rule: "claim-mismatch", message: `The claim ${quote(name)} does not match.` });
  }
  return faults;
}

const missing = (name: string): TokenFault => ({
  rule: "claim-missing",
  message: `The token has no claim ${quote(name)}.`,
});

const quote = (name: string): string => JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);

/** Returns why the type in a header is not the required one (RFC 7515 §4.1.9: a media type, `application/` may be left out). */
export function validateType({ typ }: Record<string, unknown>, wanted: string): TokenFault[] {
  const plain = (type: string): string => type.toLowerCase().replace(/^application\/(?!.*\/)/, "");
  if (typeof typ === "string" && plain(typ) === plain(wanted)) return [];
  const message =
    typ === undefined ? "The header has no type (typ)." : "The type (typ) in the header does not match.";
  return [{ rule: "type-mismatch", message }];
}

function validateParties(
  { iss, aud, sub }: Record<string, unknown>,
  { issuer, audience, subject }: ClaimsPolicy,
): TokenFault[] {
  const faults: TokenFault[] = [];
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
  if (subject !== undefined && sub !== subject)
    faults.push({
      rule: "subject-mismatch",
      message: sub === undefined ? "The token has no subject (sub)." : "The subject (sub) does not match.",
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
