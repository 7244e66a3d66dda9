import type { Position } from "../lib/json/position.ts";

/**
 * The closed list of error codes, with a column for each surface: `status` is the HTTP status, `exit` the exit status of
 * the command line, `title` a one-line name that never changes, `explain` the text of the page `/problems/<code>`.
 */
export const errorCodes = {
  bad_json: {
    status: 400,
    exit: 2,
    title: "The request body is not JSON",
    explain:
      'The body must be one JSON object in UTF-8, such as {"data": "…"}. The answer names the line and column of the fault. To send a document as it is, use Content-Type: text/plain and put the options in the query.',
  },
  invalid_input: {
    status: 400,
    exit: 2,
    title: "A field has a value it cannot have",
    explain:
      "The answer points at each field that is missing, of the wrong type or out of range. GET /api/tools/<slug> shows the schema of the input.",
  },
  unknown_field: {
    status: 400,
    exit: 2,
    title: "A field is not known to this tool",
    explain:
      "Fields are never ignored, so that a misspelt option cannot change a result unseen. The answer names the nearest field; GET /api/tools/<slug> lists them all.",
  },
  conflicting_credentials: {
    status: 400,
    exit: 2,
    title: "More than one credential was sent",
    explain: "Send exactly one Authorization header, and no X-API-Key header with it.",
  },
  key_in_query: {
    status: 400,
    exit: 2,
    title: "An API key was sent in the URL",
    explain:
      "URLs end up in logs and histories. Send the key as Authorization: Bearer svc_live_… and rotate the one that was in the URL.",
  },
  missing_key: {
    status: 401,
    exit: 3,
    title: "An API key is needed",
    explain:
      "The resource belongs to an account, or this installation requires a key for every request. Send Authorization: Bearer svc_live_… with a key of your account, or the token of a session.",
  },
  malformed_key: {
    status: 401,
    exit: 3,
    title: "The API key is malformed",
    explain:
      "A key is svc_live_ followed by 38 letters and digits, and its last six are a checksum; the token of a session has the same form and begins with svc_sess_. Part of it is missing or mistyped: copy it again.",
  },
  unknown_key: {
    status: 401,
    exit: 3,
    title: "The API key is not known",
    explain: "The key is well formed but was never issued by this installation. Ask its operator for a key.",
  },
  expired_key: {
    status: 401,
    exit: 3,
    title: "The API key has expired",
    explain: "Ask the operator to issue or rotate the key. If a session has ended, sign in again.",
  },
  revoked_key: {
    status: 401,
    exit: 3,
    title: "The API key was revoked",
    explain:
      "The key was revoked, or the session was ended, and will not work again. Ask the operator for a new key, or sign in again.",
  },
  invalid_signature: {
    status: 401,
    exit: 1,
    title: "The message is not signed as it should be",
    explain:
      "An inbox accepts only messages whose signature matches its scheme, its secret and the exact bytes of the body. The answer says what is wrong with this signature.",
  },
  account_disabled: {
    status: 403,
    exit: 3,
    title: "The account is disabled",
    explain: "The key is valid, but the operator disabled its account.",
  },
  forbidden: {
    status: 403,
    exit: 3,
    title: "This is not allowed",
    explain: "The credential is valid but does not permit this operation.",
  },
  cross_site: {
    status: 403,
    exit: 3,
    title: "The request may come from another site's page",
    explain:
      "A browser sends requests to any server that a page names, from the network of its visitor. Requests from pages of other sites are refused unless the operator lists their origin in server.corsOrigins. GET /graphql runs a document with an Authorization header, with Sec-Fetch-Site: same-origin, or with a GraphQL-Require-Preflight header, which no page of another site can send. Nothing was run, and nothing was counted.",
  },
  unknown_tool: {
    status: 404,
    exit: 2,
    title: "There is no such tool",
    explain: "The answer names the nearest slug; GET /api/tools lists them all.",
  },
  not_found: {
    status: 404,
    exit: 2,
    title: "There is nothing here",
    explain: "Tools are called with POST /api/tools/<slug>; GET /api/tools lists them.",
  },
  method_not_allowed: {
    status: 405,
    exit: 2,
    title: "The method is not allowed here",
    explain: "The Allow header lists the methods of this path. A tool is run with POST.",
  },
  not_acceptable: {
    status: 406,
    exit: 2,
    title: "No acceptable form of the answer",
    explain: "Tools answer with application/json, text/plain or application/octet-stream.",
  },
  request_timeout: {
    status: 408,
    exit: 3,
    title: "The request took too long to arrive",
    explain: "The headers or the body arrived too slowly. Send the request again.",
  },
  body_too_large: {
    status: 413,
    exit: 2,
    title: "The body is too large",
    explain:
      "The answer names the limit in bytes. The operator sets it with server.bodyLimit, or with inbox.maxBytes for messages to an inbox.",
  },
  unsupported_media_type: {
    status: 415,
    exit: 2,
    title: "The media type of the body is not supported",
    explain:
      "Send application/json with fields, text/plain with the document itself, or application/octet-stream with bytes to a tool that takes them. curl sends a form unless -H 'Content-Type: …' says otherwise.",
  },
  misdirected_request: {
    status: 421,
    exit: 3,
    title: "The host name is not one of this server",
    explain:
      "A page can make its own name resolve to the address of this server (DNS rebinding), so requests without a credential are served only under the server's own names: a loopback name such as localhost, an IP address, or a name listed in server.allowedHosts. With a key, a session or metrics.token in the Authorization header, any name is accepted.",
  },
  invalid_document: {
    status: 422,
    exit: 1,
    title: "The document cannot be processed",
    explain:
      "The call is valid, but a document in it is not. The answer names the place and the reason. The place is in data, or in the field that the answer names.",
  },
  memory_exceeded: {
    status: 422,
    exit: 1,
    title: "The document needs too much memory",
    explain: "The tool was stopped at its memory limit (tools.memoryMb). Send a smaller document.",
  },
  quota_exceeded: {
    status: 429,
    exit: 3,
    title: "The quota of this hour is used up",
    explain:
      "Retry-After says in how many seconds the next request is answered. A pro account has 1,000 requests an hour, a team account 10,000 or more, and everyone else 100 per IP address.",
  },
  deadline_exceeded: {
    status: 504,
    exit: 3,
    title: "The tool was stopped at its deadline",
    explain:
      "The work took longer than tools.deadlineMs. The usual causes are a regular expression that backtracks and a document of unusual shape.",
  },
  overloaded: {
    status: 503,
    exit: 3,
    title: "The server is busy",
    explain: "Too many requests are being served. Retry-After says when to try again.",
  },
  storage_unavailable: {
    status: 503,
    exit: 3,
    title: "The store cannot be reached",
    explain: "The server cannot read or write its records now, so it cannot check the key.",
  },
  internal: {
    status: 500,
    exit: 3,
    title: "Something went wrong on the server",
    explain:
      "This is a fault of the server, not of the call. Its log has the details under the requestId of the answer.",
  },
} as const satisfies Record<string, { status: number; exit: 1 | 2 | 3; title: string; explain: string }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * One place in the caller's input. Lines and columns count from 1 (code points), offsets from 0 (bytes); `pointer` is
 * RFC 6901. The place of a fault of the call (`bad_json`, `invalid_input`) is in the call. The place of a fault of a
 * document is in the text of its field: `field`, or `data` if absent. A field given as a JSON value has no text of its
 * own, so its places are in the call, too.
 */
export interface ErrorPlace {
  message: string;
  /** The field with the faulty document, if it is not `data`. */
  field?: string;
  pointer?: string;
  line?: number;
  column?: number;
  offset?: number;
  /** The earlier of two things that must differ. The message names neither place; `messageOf` adds both. */
  first?: Position & { offset: number };
}

/** Returns the message of a place; a fault of two things that must differ names the places of both. */
export const messageOf = ({ message, line, column, first }: ErrorPlace): string =>
  first === undefined
    ? message
    : `${message} at line ${line}, column ${column}; the first is at line ${first.line}, column ${first.column}.`;

/** Returns the message of a refusal with the place of its first fault, for people to read. */
export function describeError({ message, details }: ToolError): string {
  const [place] = details.errors ?? [];
  if (place?.line === undefined || place.column === undefined) return message;
  return place.first === undefined
    ? `${message} (line ${place.line}, column ${place.column})`
    : messageOf({ ...place, message });
}

/** Converts a place to its JSON form. */
export function toShownPlace(place: ErrorPlace): ErrorPlace {
  if (place.first === undefined) return place;
  const { first: _, ...shown } = place;
  return { ...shown, message: messageOf(place) };
}

/** The details of a refusal. All of them are shown to the caller. */
export interface ErrorDetails {
  errors?: readonly ErrorPlace[];
  /** The nearest known name, if a name was mistyped. */
  nearest?: string;
  /** The limit that was exceeded, in the unit that the message names. */
  limit?: number;
  /** Methods for `Allow`. */
  allow?: readonly string[];
  /** Whole seconds, at least 1. */
  retryAfter?: number;
}

/** A fault of the caller, or a limit that the caller reached; shown to the caller. Any other error is a bug. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = "ToolError";
    this.code = code;
    this.details = details;
  }
}
