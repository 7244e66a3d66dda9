import type { Position } from "../lib/json/position.ts";
import { maxUsualFrames } from "../lib/without-trace.ts";

/**
 * The closed list of error codes, with a column for each surface: `status` is the HTTP status, `exit` the exit status of
 * the command line, `title` a one-line name that never changes. The texts of the pages `/problems/<code>` are in
 * error-explanations.ts.
 */
export const errorCodes = {
  bad_json: {
    status: 400,
    exit: 2,
    title: "The request body is not JSON",
  },
  invalid_input: {
    status: 400,
    exit: 2,
    title: "A field has a value it cannot have",
  },
  unknown_field: {
    status: 400,
    exit: 2,
    title: "A field is not known to this tool",
  },
  conflicting_credentials: {
    status: 400,
    exit: 2,
    title: "More than one credential was sent",
  },
  key_in_query: {
    status: 400,
    exit: 2,
    title: "An API key was sent in the URL",
  },
  missing_key: {
    status: 401,
    exit: 3,
    title: "An API key is needed",
  },
  malformed_key: {
    status: 401,
    exit: 3,
    title: "The API key is malformed",
  },
  unknown_key: {
    status: 401,
    exit: 3,
    title: "The API key is not known",
  },
  expired_key: {
    status: 401,
    exit: 3,
    title: "The API key has expired",
  },
  revoked_key: {
    status: 401,
    exit: 3,
    title: "The API key was revoked",
  },
  invalid_signature: {
    status: 401,
    exit: 1,
    title: "The message is not signed as it should be",
  },
  account_disabled: {
    status: 403,
    exit: 3,
    title: "The account is disabled",
  },
  forbidden: {
    status: 403,
    exit: 3,
    title: "This is not allowed",
  },
  cross_site: {
    status: 403,
    exit: 3,
    title: "The request may come from another site's page",
  },
  unknown_tool: {
    status: 404,
    exit: 2,
    title: "There is no such tool",
  },
  not_found: {
    status: 404,
    exit: 2,
    title: "There is nothing here",
  },
  method_not_allowed: {
    status: 405,
    exit: 2,
    title: "The method is not allowed here",
  },
  not_acceptable: {
    status: 406,
    exit: 2,
    title: "No acceptable form of the answer",
  },
  request_timeout: {
    status: 408,
    exit: 3,
    title: "The request took too long to arrive",
  },
  body_too_large: {
    status: 413,
    exit: 2,
    title: "The body is too large",
  },
  uri_too_long: {
    status: 414,
    exit: 2,
    title: "The address is too long",
  },
  unsupported_media_type: {
    status: 415,
    exit: 2,
    title: "The media type of the body is not supported",
  },
  misdirected_request: {
    status: 421,
    exit: 3,
    title: "The host name is not one of this server",
  },
  invalid_document: {
    status: 422,
    exit: 1,
    title: "The document cannot be processed",
  },
  memory_exceeded: {
    status: 422,
    exit: 1,
    title: "The document needs too much memory",
  },
  quota_exceeded: {
    status: 429,
    exit: 3,
    title: "The quota of this hour is used up",
  },
  deadline_exceeded: {
    status: 504,
    exit: 3,
    title: "The tool was stopped at its deadline",
  },
  overloaded: {
    status: 503,
    exit: 3,
    title: "The server is busy",
  },
  storage_unavailable: {
    status: 503,
    exit: 3,
    title: "The store cannot be reached",
  },
  provider_unavailable: {
    status: 503,
    exit: 3,
    title: "The sign-in provider cannot be reached",
  },
  internal: {
    status: 500,
    exit: 3,
    title: "Something went wrong on the server",
  },
} as const satisfies Record<string, { status: number; exit: 1 | 2 | 3; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** The detail that callers get for a bug. */
export const internalFault =
  "This is a fault of the server, not of the call. Its log has the details under the requestId of the answer.";

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
    // A refusal is about the input, and has its place there. What is a fault of the server has a trace, for the log.
    const { stackTraceLimit } = Error;
    if (stackTraceLimit === maxUsualFrames && errorCodes[code].status < 500) Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "ToolError";
    this.code = code;
    this.details = details;
  }
}
