import type { IncomingMessage } from "node:http";
import { ToolError } from "../../catalog/errors.ts";

/** A name or an address with an optional port; may be empty (RFC 3986 §3.2.2, RFC 9112 §3.2). */
const hostForm = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/;

/**
 * Returns the fault of a head that Node's parser accepts, or undefined. A proxy may have read such a head differently,
 * so the connection must not be used any further.
 */
export function faultOfHead(req: IncomingMessage): ToolError | undefined {
  const { httpVersion, headers, rawHeaders } = req;
  // The parser also accepts 0.9 and 2.0.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return malformed("This is not an HTTP/1.1 request.");
  const { host } = headers;
  if (host === undefined) {
    // Node would refuse it too, with an empty answer.
    if (httpVersion === "1.1") return malformed("An HTTP/1.1 request needs a Host header (RFC 9112 §3.2).");
  } else {
    if (countHeader(rawHeaders, "host") > 1)
      return malformed("A request must have exactly one Host header (RFC 9112 §3.2).");
    if (!hostForm.test(host))
      return malformed("The Host header must be a host with an optional port (RFC 9112 §3.2).");
  }
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return undefined;
  if (httpVersion === "1.0")
    return malformed("An HTTP/1.0 request cannot have Transfer-Encoding (RFC 9112 §6.1).");
  return coding.toLowerCase() === "chunked"
    ? undefined
    : malformed("The only supported Transfer-Encoding is chunked (RFC 9112 §6.1).");
}

/**
 * Counts the occurrences of a header; `name` is in lower case. Of headers that may occur once, Node keeps the first and
 * drops the others silently; the raw list has all of them.
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
