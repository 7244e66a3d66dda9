import type { Exchange } from "../http/exchange.ts";
import { pageIsolation } from "../http/page-isolation.ts";

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

/**
 * The policy of the worker that runs tools. It allows no request of any kind; the page fetches the scripts of the tools and
 * passes them as blobs. WebAssembly is the printer of JSON.
 */
const workerPolicy = [
  "default-src 'none'",
  "script-src blob: 'wasm-unsafe-eval'",
  "require-trusted-types-for 'script'",
  "trusted-types penknife",
].join("; ");

/** Headers of the worker's script. */
export const workerHeaders: readonly string[] = ["Content-Security-Policy", workerPolicy];

/** A page with a form that is sent without script has `same-origin`: without a referrer, browsers send the form with the Origin `null`. */
export type ReferrerPolicy = "no-referrer" | "same-origin";

/** Returns the headers of a page. */
export const pageHeaders = (
  { req }: { req: Pick<Exchange["req"], "headers"> },
  referrer: ReferrerPolicy = "no-referrer",
): string[] => [
  "Content-Security-Policy",
  policy,
  "Referrer-Policy",
  referrer,
  ...pageIsolation(req.headers),
];
