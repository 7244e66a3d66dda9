import type { IncomingMessage } from "node:http";
import { type ErrorCode, errorCodes, ToolError } from "../../../catalog/errors.ts";
import { RemoteError } from "../remote-error.ts";

/** What an answer that is no success says: a problem document of penknife's, or something else that stands in its place. */
export function toRefusal(url: URL, response: IncomingMessage, body: Buffer): ToolError | RemoteError {
  const { statusCode = 0, headers } = response;
  const retryAfter = secondsOf(headers["retry-after"]);
  const problem = readProblem(body);
  if (problem !== undefined) {
    return new ToolError(problem.code, problem.detail, { ...(retryAfter !== undefined && { retryAfter }) });
  }
  if (headers.location !== undefined && statusCode >= 300 && statusCode < 400) {
    // Not followed: the key is for the server that was named.
    return new RemoteError(
      `${url.origin} answered ${statusCode} and names ${headers.location.slice(0, 200)}; give the right address with --server`,
      false,
    );
  }
  const passing = isPassingStatus(statusCode);
  const hint = passing ? "" : "; is this a penknife server? --server takes its address, with its base path";
  return new RemoteError(`${url.origin} answered ${statusCode}${hint}`, passing, retryAfter);
}

/** Whether the same may go well in a moment. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ToolError
    ? isPassingStatus(errorCodes[error.code].status)
    : error instanceof RemoteError && error.passing;

const isPassingStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;

function readProblem(body: Buffer): { code: ErrorCode; detail: string } | undefined {
  try {
    const { code, detail } = JSON.parse(body.toString()) as { code?: unknown; detail?: unknown };
    if (typeof code !== "string" || typeof detail !== "string" || !Object.hasOwn(errorCodes, code))
      return undefined;
    return { code: code as ErrorCode, detail };
  } catch {
    return undefined;
  }
}

/** RFC 9110 §10.2.3, in the form that penknife sends. */
const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
