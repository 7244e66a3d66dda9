import type { IncomingHttpHeaders } from "node:http";

/**
 * Returns headers that keep a page apart from those of other sites: none may load it, or hold its window. Browsers apply
 * Cross-Origin-Opener-Policy to HTTPS and to localhost, and report an error elsewhere; requests to the same origins, and to
 * no others, have Sec-Fetch-Site.
 */
export const pageIsolation = (headers: IncomingHttpHeaders): string[] => [
  "Cross-Origin-Resource-Policy",
  "same-origin",
  ...(headers["sec-fetch-site"] === undefined ? [] : ["Cross-Origin-Opener-Policy", "same-origin"]),
];
