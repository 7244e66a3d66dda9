import { hash } from "node:crypto";
import type { Exchange } from "../http/exchange.ts";
import { codingFor, type Reply } from "../http/reply.ts";

/** A document that changes with the executable only. */
export interface Tagged {
  type: string;
  body: string;
  /** What its ETag is made of. */
  tag: string;
}

export const toTagged = (type: string, body: string): Tagged => ({
  type,
  body,
  tag: hash("sha256", body, "base64url").slice(0, 22),
});

/** Sends the document, or 304 to who has it. */
export function sendTagged(
  reply: Reply,
  exchange: Exchange,
  { type, body, tag }: Tagged,
): void | Promise<void> {
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
  return reply.sendCompressed(exchange, 200, type, body, headers);
}

/** RFC 9110 §13.1.2: a list of tags, compared weakly; the tag of a compressed form has the coding at its end. */
function matches(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return header.split(",").some((part) => {
    const opaque = part.trim().replace(/^W\//, "");
    return opaque === `"${tag}"` || opaque === `"${tag}-gzip"` || opaque === `"${tag}-br"`;
  });
}
