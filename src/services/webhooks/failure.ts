import { TargetError } from "./guard.ts";

/** The reason for a missing answer. `message` is a fixed text: Node's messages contain addresses and URLs. */
export interface Failure {
  code:
    | TargetError["code"]
    | "timeout"
    | "connection_refused"
    | "connection_reset"
    | "unreachable"
    | "certificate_invalid"
    | "tls_error"
    | "headers_too_large"
    | "invalid_response"
    | "network_error"
    | "closed";
  message: string;
}

/** Classifies any error that ended a request. */
export function toFailure(error: unknown): Failure {
  if (error instanceof TargetError) return { code: error.code, message: error.message };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const found = codes[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1] ?? "network_error";
  return { code: found, message: messages[found] };
}

/** Ends a request for a reason for which Node throws nothing. */
export class EndedError extends Error {
  readonly code: "PENKNIFE_TIMEOUT" | "PENKNIFE_CLOSED" | "PENKNIFE_RESPONSE";

  constructor(code: EndedError["code"]) {
    super(code);
    this.name = "EndedError";
    this.code = code;
  }
}

type Code = Exclude<Failure["code"], TargetError["code"]>;

const codes: Record<string, Code> = {
  PENKNIFE_TIMEOUT: "timeout",
  PENKNIFE_CLOSED: "closed",
  PENKNIFE_RESPONSE: "invalid_response",
  ETIMEDOUT: "timeout",
  ERR_SOCKET_CONNECTION_TIMEOUT: "timeout",
  ECONNREFUSED: "connection_refused",
  // Includes "socket hang up": the connection was closed before the answer was complete.
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  ENETUNREACH: "unreachable",
  EHOSTUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETDOWN: "unreachable",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_invalid",
  ERR_TLS_CERT_ALTNAME_FORMAT: "certificate_invalid",
  // OpenSSL verification errors (X509_V_ERR_…) without CERT in their name.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_invalid",
  INVALID_CA: "certificate_invalid",
  INVALID_PURPOSE: "certificate_invalid",
  PATH_LENGTH_EXCEEDED: "certificate_invalid",
  HOSTNAME_MISMATCH: "certificate_invalid",
  EPROTO: "tls_error",
};

const patterns: readonly (readonly [RegExp, Code])[] = [
  [/^(?!ERR_).*(?:CERT|CRL)/, "certificate_invalid"],
  [/^ERR_(?:SSL|TLS)_/, "tls_error"],
  [/^HPE_/, "invalid_response"],
];

const messages: Record<Code, string> = {
  timeout: "The receiver did not answer in time.",
  connection_refused: "Nothing listens on the receiver's port.",
  connection_reset: "The receiver closed the connection before its answer was complete.",
  unreachable: "The receiver's address is unreachable.",
  certificate_invalid:
    "The receiver's certificate has expired, is not for its name, or is of an unknown authority.",
  tls_error: "The TLS handshake with the receiver failed.",
  headers_too_large: "The receiver's answer has more than 16 KB of headers.",
  invalid_response: "The receiver's answer is not HTTP.",
  network_error: "The connection to the receiver failed.",
  closed: "The server was stopped during the request.",
};
