import type { IncomingMessage } from "node:http";
import {
  parseCookieValue,
  type PendingSignIn,
  pendingSeconds,
  toCookieValue,
} from "../../services/access/oidc/pending.ts";
import { cookieValues } from "../http/cookie-values.ts";

// The sign-ins that a browser has started. The prefix keeps other servers of the domain from setting the cookie, and so from
// signing a person in as somebody else. SameSite is Lax, because the provider's page leads back here.

const nameOf = (isSecure: boolean): string => (isSecure ? "__Host-penknife-sign-in" : "penknife-sign-in");

/** Returns the Set-Cookie header that keeps these sign-ins, and no others. */
export function pendingCookie(pending: readonly PendingSignIn[], isSecure: boolean): string {
  const seconds = pending.length === 0 ? 0 : pendingSeconds;
  const attributes = `${isSecure ? "Secure; " : ""}HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}`;
  return `${nameOf(isSecure)}=${toCookieValue(pending)}; ${attributes}`;
}

/** Returns the sign-ins that the browser has started. Of two cookies, another server of the host has set one: none counts. */
export function readPending(
  { headers: { cookie = "" } }: IncomingMessage,
  isSecure: boolean,
  now: number,
): PendingSignIn[] {
  const [value, ...others] = cookieValues(cookie, nameOf(isSecure));
  return value === undefined || others.length > 0 ? [] : parseCookieValue(value, now);
}
