import type { IncomingMessage } from "node:http";
import { type ErrorCode, type ErrorPlace, errorCodes, ToolError } from "../../../catalog/errors.ts";
import { defined } from "../../../lib/defined.ts";
import { RemoteError } from "../remote-error.ts";

/** Converts an unsuccessful response, a problem document of penknife or anything else, to an error. */
export function toRefusal(url: URL, response: IncomingMessage, body: Buffer): ToolError | RemoteError {
  const { statusCode = 0, headers } = response;
  const retryAfter = secondsOf(headers["retry-after"]);
  const problem = readProblem(body);
  if (problem !== undefined) {
    const { code, detail, errors } = problem;
    return new ToolError(code, detail, defined({ errors, retryAfter }));
  }
  if (headers.location !== undefined && statusCode >= 300 && statusCode < 400) {
    // Not followed: the key is only for the server that the user named.
    return new RemoteError(
      `${url.origin} answered ${statusCode} and redirects to ${headers.location.slice(0, 200)}; give that server's address with --server`,
      false,
    );
  }
  const transient = isTransientStatus(statusCode);
  const hint = transient
    ? ""
    : "; is this a penknife server? Give its address, with its base path, with --server";
  return new RemoteError(`${url.origin} answered ${statusCode}${hint}`, transient, retryAfter);
}

/** Reports whether a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ToolError
    ? isTransientStatus(errorCodes[error.code].status)
    : error instanceof RemoteError && error.transient;

const isTransientStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;

function readProblem(
  body: Buffer,
): { code: ErrorCode; detail: string; errors?: readonly ErrorPlace[] } | undefined {
  try {
    const { code, detail, errors } = JSON.parse(body.toString()) as Record<string, unknown>;
    if (typeof code !== "string" || typeof detail !== "string" || !Object.hasOwn(errorCodes, code))
      return undefined;
    const places = Array.isArray(errors) && errors.every(isPlace) ? errors : undefined;
    return { code: code as ErrorCode, detail, ...(places && { errors: places }) };
  } catch {
    return undefined;
  }
}

const isPlace = (one: unknown): one is ErrorPlace =>
  typeof one === "object" && one !== null && typeof (one as ErrorPlace).message === "string";

/** RFC 9110 §10.2.3, in the form that penknife sends. */
const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
