import type { IncomingMessage } from "node:http";
import { ToolError } from "../../catalog/errors.ts";

/** RFC 3986 §3.2.2 and RFC 9112 §3.2: a name or an address, and a port. Empty is allowed. */
const hostForm = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/;

/**
 * What is wrong with a head that Node's parser has let through; undefined where nothing is. Of two readings of such a
 * head a proxy may have taken the other one, so that the connection is of no more use.
 */
export function faultOfHead(req: IncomingMessage): ToolError | undefined {
  const { httpVersion, headers, rawHeaders } = req;
  // The parser knows 0.9 and 2.0 too.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return malformed("This is not a request in HTTP/1.1.");
  const { host } = headers;
  if (host === undefined) {
    // Node would refuse it as well, but without a word.
    if (httpVersion === "1.1") return malformed("A request in HTTP/1.1 needs a Host header (RFC 9112 §3.2).");
  } else {
    if (countHeader(rawHeaders, "host") > 1)
      return malformed("A request has one Host header and no more (RFC 9112 §3.2).");
    if (!hostForm.test(host)) return malformed("The Host header is no host and port (RFC 9112 §3.2).");
  }
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return undefined;
  if (httpVersion === "1.0")
    return malformed("A request in HTTP/1.0 has no Transfer-Encoding (RFC 9112 §6.1).");
  return coding.toLowerCase() === "chunked"
    ? undefined
    : malformed("Send the body with no other Transfer-Encoding than chunked (RFC 9112 §6.1).");
}

/**
 * How often a header came; `name` in lower case. Of one that may come once Node keeps the first and drops the others
 * without a word; the raw list has all.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const one = rawHeaders[index] as string;
    if (one.length === name.length && one.toLowerCase() === name) count++;
  }
  return count;
}

const malformed = (message: string): ToolError => new ToolError("invalid_input", message);
