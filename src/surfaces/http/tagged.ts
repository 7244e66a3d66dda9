import { hash } from "node:crypto";
import { trimOws } from "../../lib/header-list.ts";
import type { Exchange } from "./exchange.ts";
import { codingFor, type Reply } from "./reply.ts";
import { compressedOf, type Shared, toShared } from "./shared.ts";

/** A document that changes only with the executable. */
export interface Tagged extends Shared {
  readonly type: string;
  /** The value of its ETag. */
  readonly tag: string;
}

export const toTagged = (type: string, body: string): Tagged => ({
  ...toShared(body),
  type,
  tag: hash("sha256", body, "base64url").slice(0, 22),
});

/** Sends the document, or 304 if the client has it. `extra` are further names and values of headers. */
export function sendTagged(
  reply: Reply,
  exchange: Exchange,
  document: Tagged,
  extra: readonly string[] = [],
): void | Promise<void> {
  const { type, bytes: body, tag } = document;
  // Each coding is a representation of its own, so its strong tag must differ (RFC 9110 §8.8.3.3).
  const coding = codingFor(exchange, body);
  const own = coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`;
  const headers = [
    "ETag",
    own,
    "Cache-Control",
    "public, max-age=0, must-revalidate",
    "Vary",
    "Accept-Encoding",
    ...extra,
  ];
  const known = exchange.req.headers["if-none-match"];
  if (known !== undefined && matches(known, tag)) return reply.sendEmpty(exchange, 304, headers);
  if (coding === undefined) return reply.sendShared(exchange, 200, type, body, headers);
  headers.push("Content-Encoding", coding);
  return compressedOf(document, coding).then((bytes) =>
    reply.sendShared(exchange, 200, type, bytes, headers),
  );
}

/**
 * Reports whether a list of tags matches, by weak comparison (RFC 9110 §13.1.2). Tags of compressed forms end in the coding.
 */
function matches(header: string, tag: string): boolean {
  if (header === "*") return true;
  return header.split(",").some((part) => {
    const opaque = trimOws(part).replace(/^W\//, "");
    return opaque === `"${tag}"` || opaque === `"${tag}-gzip"` || opaque === `"${tag}-br"`;
  });
}
