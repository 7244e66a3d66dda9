import { hash } from "node:crypto";
import type { Exchange } from "./exchange.ts";
import { codingFor, type Reply } from "./reply.ts";
import { compressedOf, type Shared, toShared } from "./shared.ts";

/** A document that changes with the executable only. */
export interface Tagged extends Shared {
  readonly type: string;
  /** What its ETag is made of. */
  readonly tag: string;
}

export const toTagged = (type: string, body: string): Tagged => ({
  ...toShared(body),
  type,
  tag: hash("sha256", body, "base64url").slice(0, 22),
});

/** Sends the document, or 304 to who has it. */
export function sendTagged(reply: Reply, exchange: Exchange, document: Tagged): void | Promise<void> {
  const { type, bytes: body, tag } = document;
  // Another coding is another representation, so a strong tag must differ (RFC 9110 §8.8.3.3).
  const coding = codingFor(exchange, body);
  const own = coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`;
  const headers = [
    "ETag",
    own,
    "Cache-Control",
    "public, max-age=0, must-revalidate",
    "Vary",
    "Accept-Encoding",
  ];
  const known = exchange.req.headers["if-none-match"];
  if (known !== undefined && matches(known, tag)) return reply.sendEmpty(exchange, 304, headers);
  if (coding === undefined) return reply.sendShared(exchange, 200, type, body, headers);
  headers.push("Content-Encoding", coding);
  return compressedOf(document, coding).then((bytes) =>
    reply.sendShared(exchange, 200, type, bytes, headers),
  );
}

/** RFC 9110 §13.1.2: a list of tags, compared weakly; the tag of a compressed form has the coding at its end. */
function matches(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return header.split(",").some((part) => {
    const opaque = part.trim().replace(/^W\//, "");
    return opaque === `"${tag}"` || opaque === `"${tag}-gzip"` || opaque === `"${tag}-br"`;
  });
}
