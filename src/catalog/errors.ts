import type { Position } from "../lib/json/position.ts";

/**
 * Every way in which a call can be refused: the closed list, with a column for each surface.
 * `status` is the HTTP status, `exit` the exit status of the command line, `title` the one-line name
 * that never changes, `explain` what the page at `/problems/<code>` says.
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
    explain: "Send exactly one Authorization header and no X-API-Key beside it.",
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
      "What was asked for belongs to an account, or this installation serves nobody unknown. Send Authorization: Bearer svc_live_… with a key of your account, or the token of a session.",
  },
  malformed_key: {
    status: 401,
    exit: 3,
    title: "The API key is malformed",
    explain:
      "A key is svc_live_ followed by 38 letters and digits, and its last six are a checksum; the token of a session is made alike and begins with svc_sess_. A part is missing or mistyped: copy it again.",
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
    explain: "Ask the operator to issue or rotate the key. Whose session has ended signs in again.",
  },
  revoked_key: {
    status: 401,
    exit: 3,
    title: "The API key was revoked",
    explain:
      "The key was withdrawn, or the session ended, and will not work again. Ask the operator for a new one.",
  },
  invalid_signature: {
    status: 401,
    exit: 1,
    title: "The message is not signed as it should be",
    explain:
      "An inbox takes only messages whose signature its scheme, its secret and the body, byte for byte as it came, account for. The answer says what is wrong with this one.",
  },
  account_disabled: {
    status: 403,
    exit: 3,
    title: "The account is disabled",
    explain: "The key is right, but its account was switched off by the operator.",
  },
  forbidden: {
    status: 403,
    exit: 3,
    title: "This is not allowed",
    explain: "The credential is right but does not allow this.",
  },
  cross_site: {
    status: 403,
    exit: 3,
    title: "The request may come from another site's page",
    explain:
      "A browser sends requests to any server that a page names, from its visitor's network. Those of other sites' pages are refused, unless the operator lists their origin in server.corsOrigins. GET /graphql runs a document with an Authorization header, with Sec-Fetch-Site: same-origin, or with a GraphQL-Require-Preflight header, which no page of another site can send. Nothing was run, and nothing was counted.",
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
    explain: "The headers or the body came too slowly. Send the request again.",
  },
  body_too_large: {
    status: 413,
    exit: 2,
    title: "The body is too large",
    explain:
      "The answer names the limit in bytes; the operator sets it with server.bodyLimit, that of a message to an inbox with inbox.maxBytes.",
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
      "A page can make its own name resolve to the address of this server (DNS rebinding), so requests without a credential are served only under names that are its own: a loopback name such as localhost, an IP address, or one that the operator lists in server.allowedHosts. With a key, a session or metrics.token in the Authorization header, any name will do.",
  },
  invalid_document: {
    status: 422,
    exit: 1,
    title: "The document cannot be processed",
    explain:
      "The call was right, but a document in it is not. The answer says where and why: in data, or in the field that it names.",
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
      "Retry-After says in how many seconds the next request is answered. A pro account has 1,000 requests an hour, a team account 10,000 or more, everyone else 100 for each address.",
  },
  deadline_exceeded: {
    status: 504,
    exit: 3,
    title: "The tool was stopped at its deadline",
    explain:
      "The work took longer than tools.deadlineMs. A regular expression that backtracks or a document of unusual shape are the usual causes.",
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
    explain: "The server cannot read or write its records now, so it cannot say whether the key is right.",
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
 * RFC 6901. What is wrong with the call (`bad_json`, `invalid_input`) is placed in the call, what is wrong with a
 * document in the text of its field: that of `field`, or `data` where none is named. A field that was given as a JSON
 * value has no text of its own, so that the place is again one of the call.
 */
export interface ErrorPlace {
  message: string;
  /** The field whose document is wrong, where it is not `data`. */
  field?: string;
  pointer?: string;
  line?: number;
  column?: number;
  offset?: number;
  /** The earlier of two things that must differ. The message names neither place; `messageOf` adds both. */
  first?: Position & { offset: number };
}

/** The message of a place; of two things that must differ, with the places of both. */
export const messageOf = ({ message, line, column, first }: ErrorPlace): string =>
  first === undefined
    ? message
    : `${message} at line ${line}, column ${column}; the first is at line ${first.line}, column ${first.column}.`;

/** The message of a refusal with the place of the first thing that is wrong, for people to read. */
export function describeError({ message, details }: ToolError): string {
  const [place] = details.errors ?? [];
  if (place?.line === undefined || place.column === undefined) return message;
  return place.first === undefined
    ? `${message} (line ${place.line}, column ${place.column})`
    : messageOf({ ...place, message });
}

/** A place as JSON shows it. */
export function toShownPlace(place: ErrorPlace): ErrorPlace {
  if (place.first === undefined) return place;
  const { first: _, ...shown } = place;
  return { ...shown, message: messageOf(place) };
}

/** What a refusal may tell besides its sentence. All of it is shown to the caller. */
export interface ErrorDetails {
  errors?: readonly ErrorPlace[];
  /** The nearest known name, where a name was mistyped. */
  nearest?: string;
  /** The limit that was passed, in the unit that the sentence names. */
  limit?: number;
  /** Methods for `Allow`. */
  allow?: readonly string[];
  /** Whole seconds, at least 1. */
  retryAfter?: number;
}

/** The caller's fault, or a limit that the caller met: shown as it is. Anything else that is thrown is a bug. */
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
