import { limitHeaderNames } from "../../http/limit-headers.ts";
import { type Header, type Parameter, type Reference, refTo } from "./types.ts";

const integer = { type: "integer", minimum: 0 };
const text = { type: "string" };

export const headers: Record<string, Header> = {
  "X-Request-Id": {
    required: true,
    description: "What the server's log calls this request.",
    schema: text,
  },
  "Tool-Version": {
    description: "The version of the tool, which changes with every change of what it answers.",
    schema: text,
  },
  RateLimit: {
    description:
      'What is left of the caller\'s window and the seconds until it ends, such as `"hour";r=999;t=3600`.',
    schema: text,
  },
  "RateLimit-Policy": {
    description: 'The caller\'s quota and its window in seconds, such as `"hour";q=1000;w=3600`.',
    schema: text,
  },
  "X-RateLimit-Limit": { description: "Requests in a window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests that are left in this window.", schema: integer },
  "X-RateLimit-Reset": { description: "The end of this window, in seconds since 1970.", schema: integer },
  "Retry-After": {
    description: "Seconds after which another try makes sense.",
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": { description: "The challenge of RFC 6750.", schema: text },
  Allow: { description: "The methods of this path.", schema: text },
  ETag: { description: "For If-None-Match.", schema: text },
};

export const parameters: Record<string, Parameter> = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description:
      "Returned in the answer and written to the log. A value other than 1 to 64 letters, digits, dots, hyphens and underscores is replaced, and so is one that looks like a key or a token.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "ETags of what the caller has; the answer is 304 where one of them is still right.",
    schema: text,
  },
  Check: {
    name: "check",
    in: "query",
    description:
      "Judge instead of answering: the result is a report, with status 200 where nothing was found and 422 otherwise.",
    schema: { type: "boolean", default: false },
  },
};

/** References to these headers. */
export const headersOf = (...names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, refTo("headers", name)]));

/** Headers of every answer to a counted request. */
export const countedHeaders: readonly string[] = ["X-Request-Id", ...limitHeaderNames];
