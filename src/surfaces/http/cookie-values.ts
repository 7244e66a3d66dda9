import { trimOws } from "../../lib/header-list.ts";

/**
 * Returns the values of all cookies of that name in a Cookie header (RFC 6265 §5.4). Only spaces and tabs are trimmed:
 * a cookie named U+00A0 and `__Host-…` has no protected prefix for a browser, and must not become one here.
 */
export const cookieValues = (header: string, name: string): string[] =>
  header
    .split(";")
    .map(trimOws)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
