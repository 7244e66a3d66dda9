/**
 * The Content-Security-Policy of every page: scripts, styles and requests of this origin only, so that injected script
 * neither runs nor finds anybody to send data to; no frame, so that no other page can trick a user into clicks; and strings
 * become code or HTML only in the policy `penknife` of Trusted Types.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types penknife",
].join("; ");

/** Headers of every page. The URL of a page answers programs in another format. */
export const pageHeaders: readonly string[] = [
  "Content-Security-Policy",
  policy,
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Cross-Origin-Resource-Policy",
  "same-origin",
];
