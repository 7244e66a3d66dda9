import { limitHeaderNames } from "../../http/limit-headers.ts";
import { integer, parameterIn, text } from "./forms.ts";
import { type Header, type Parameter, type Reference, refTo } from "./types.ts";

export const headers: Record<string, Header> = {
  "X-Request-Id": {
    required: true,
    description: "The id of this request, as in the server's log.",
    schema: text(),
  },
  "Tool-Version": {
    description: "The version of the tool, which changes whenever one of its results changes.",
    schema: text(),
  },
  RateLimit: {
    description:
      'The requests left in the caller\'s window and the seconds until it ends, such as `"hour";r=999;t=3600`.',
    schema: text(),
  },
  "RateLimit-Policy": {
    description: 'The caller\'s quota and its window in seconds, such as `"hour";q=1000;w=3600`.',
    schema: text(),
  },
  "X-RateLimit-Limit": { description: "Requests in a window.", schema: integer(0) },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: integer(0) },
  "X-RateLimit-Reset": { description: "The end of this window, in epoch seconds.", schema: integer(0) },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    schema: integer(1),
  },
  "WWW-Authenticate": { description: "The challenge of RFC 6750.", schema: text() },
  Allow: { description: "The methods of this path.", schema: text() },
  ETag: { description: "For If-None-Match.", schema: text() },
};

export const parameters: Record<string, Parameter> = {
  RequestId: parameterIn(
    "header",
    "X-Request-Id",
    "Returned in the answer and written to the log. A value other than 1 to 64 letters, digits, dots, hyphens and underscores is replaced, and so is one that looks like a key or a token.",
    text(undefined, { pattern: "^[A-Za-z0-9._-]{1,64}$" }),
  ),
  IfNoneMatch: parameterIn(
    "header",
    "If-None-Match",
    "ETags of the documents that the caller has; the answer is 304 if one of them is current.",
  ),
  Check: parameterIn(
    "query",
    "check",
    "Return a report instead of the result, with status 200 if it has no errors and 422 otherwise.",
    { type: "boolean", default: false },
  ),
};

/** References to these headers. */
export const headersOf = (...names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, refTo("headers", name)]));

/** Headers of every answer to a counted request. */
export const countedHeaders: readonly string[] = ["X-Request-Id", ...limitHeaderNames];
