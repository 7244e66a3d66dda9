import { ProviderFault } from "./provider-fault.ts";
import { type Claims, hasClaim } from "../sign-in-rules.ts";

/** A person as the provider describes one. Only issuer and subject identify a person; names and addresses change. */
export interface Identity {
  issuer: string;
  subject: string;
  /** For display. */
  name?: string;
  claims: Claims;
}

/** The claims of an ID token that every provider sends. */
export interface TokenClaims extends Claims {
  iss: string;
  sub: string;
  iat: number;
  azp?: string;
}

/** Largest difference between the clocks of the provider and of this server. */
export const toleranceSeconds = 60;
const maxSubject = 255;
const maxName = 200;

/**
 * Validates what the library leaves to its caller.
 * @param now Epoch milliseconds.
 * @throws ProviderFault
 */
export function validateToken({ iat, azp, sub }: TokenClaims, clientId: string, now: number): void {
  if (iat > now / 1000 + toleranceSeconds)
    throw new ProviderFault("refused", "The ID token is from the future: one of the two clocks is wrong.");
  if (azp !== undefined && azp !== clientId)
    throw new ProviderFault("refused", "The ID token was issued to another client (azp).");
  if (sub.length > maxSubject)
    throw new ProviderFault("refused", `The subject of the ID token has more than ${maxSubject} characters.`);
}

/**
 * Joins the claims of the ID token and of userinfo. The ID token counts where both have a claim, but an address and
 * `email_verified` come from the same of the two: userinfo may have verified another address.
 * @param more Claims of userinfo.
 */
export function toIdentity(token: TokenClaims, more: Claims): Identity {
  const claims: Claims = { ...more, ...token, ...toEmail(token, more) };
  const name = ["name", "preferred_username", "email"]
    .map((claim) => claims[claim])
    .find((value) => typeof value === "string" && value.trim() !== "");
  return {
    issuer: token.iss,
    subject: token.sub,
    ...(typeof name === "string" && { name: name.trim().slice(0, maxName) }),
    claims,
  };
}

function toEmail(token: Claims, more: Claims): Claims | undefined {
  const sources = [token, more].filter((source) => hasClaim(source, "email"));
  const source = sources.find((one) => hasClaim(one, "email_verified")) ?? sources[0];
  return source && { email: source["email"], email_verified: source["email_verified"] };
}
