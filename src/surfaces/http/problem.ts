import {
  describeError,
  errorCodes,
  internalFault,
  ToolError,
  toShownPlace,
  type ErrorCode,
  type ErrorPlace,
} from "../../catalog/errors.ts";
import { defined } from "../../lib/defined.ts";
import type { Exchange } from "./exchange.ts";

/** An error response without the headers that every answer has. */
export interface Problem {
  status: number;
  body: string;
  /** Alternating names and values. */
  headers: readonly string[];
}

export const problemType = "application/problem+json; charset=utf-8";

/** The refusal of a path that nothing serves. */
export const nothingHere = (): ToolError =>
  new ToolError(
    "not_found",
    "There is nothing here. GET /api/tools lists the tools, POST /api/tools/<slug> runs one.",
  );

const secrets = /svc(?:_|%(?:25)*5f)(?:live|sess)(?:_|%(?:25)*5f)[^\s"'/\\…]+/gi;

/** A refusal as a page; the headers are names and values in turns. */
export interface RefusalPage {
  type: string;
  body: string;
  headers: readonly string[];
}

/** Masks credentials in a text. */
export const redact = (text: string): string => text.replaceAll(secrets, "svc_…");

/** Most characters of a path or a pointer that are echoed or logged. */
export const maxPath = 256;

/**
 * Converts an error to problem details (RFC 9457). An error that is no ToolError is a bug: the caller gets only the
 * request id.
 */
export function toProblem(
  error: unknown,
  exchange: Pick<Exchange, "requestId"> & Partial<Pick<Exchange, "path">>,
  basePath: string,
): Problem {
  const known = error instanceof ToolError;
  const code: ErrorCode = known ? error.code : "internal";
  const { status, title } = errorCodes[code];
  const details = known && code !== "internal" ? error.details : {};
  const { errors, nearest, limit } = details;
  const detail = known && code !== "internal" ? describeError(error) : internalFault;
  const body = {
    type: `${basePath}/problems/${code}`,
    title,
    status,
    detail,
    ...(exchange.path !== undefined && { instance: basePath + cutPath(exchange.path) }),
    code,
    requestId: exchange.requestId,
    ...defined({ errors: errors?.map(cutPointer), nearest, limit, retryAfter: details.retryAfter }),
  };
  const headers = ["Cache-Control", "no-store"];
  if (details.allow !== undefined) headers.push("Allow", details.allow.join(", "));
  const retryAfter = details.retryAfter ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers.push("Retry-After", String(Math.max(1, Math.ceil(retryAfter))));
  const challenge = challengeOf(code, status, title);
  if (challenge !== undefined) headers.push("WWW-Authenticate", challenge);
  return { status, body: redact(JSON.stringify(body)), headers };
}

/** Does not cut within a percent sequence, so that the result stays a URI reference. */
const cutPath = (path: string): string =>
  path.length > maxPath ? path.slice(0, maxPath).replace(/%[0-9a-f]?$/i, "") : path;

/** The ellipsis shows that it was cut; a prefix alone would be a valid pointer to another place. */
export function cutPointer(given: ErrorPlace): ErrorPlace {
  const place = toShownPlace(given);
  const { pointer } = place;
  if (pointer === undefined || pointer.length <= maxPath) return place;
  return { ...place, pointer: `${pointer.slice(0, maxPath).replace(/[\uD800-\uDBFF]$/, "")}…` };
}

/** RFC 6750 §3: no `error` if no credential was sent. */
function challengeOf(code: ErrorCode, status: number, title: string): string | undefined {
  const realm = 'Bearer realm="penknife"';
  if (code === "missing_key") return realm;
  // Senders to an inbox need no key.
  if (code === "invalid_signature") return 'Signature realm="penknife"';
  if (status === 401) return `${realm}, error="invalid_token", error_description="${title}"`;
  if (code === "conflicting_credentials")
    return `${realm}, error="invalid_request", error_description="${title}"`;
  return undefined;
}
