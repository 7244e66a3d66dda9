import { STATUS_CODES } from "node:http";
import { errorCodes, type ErrorCode } from "../../../catalog/errors.ts";
import { componentOf, objectOf } from "./forms.ts";
import { countedHeaders, headersOf } from "./headers.ts";
import { type Content, type Reference, refTo, type Response } from "./types.ts";

type Status = (typeof errorCodes)[ErrorCode]["status"];

const codesOf = Map.groupBy(Object.keys(errorCodes) as ErrorCode[], (code) => errorCodes[code].status);

/** The response components: one for each status of the closed list. */
export function problemResponses(): Record<string, Response> {
  return Object.fromEntries(
    [...codesOf].map(([status, codes]) => [
      nameOf(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(" "),
        headers: headersOf(...headersFor(status)),
        content: problemContent(status, codes),
      },
    ]),
  );
}

/** In check mode, 422 is an ordinary answer with findings; a refused document is still a problem. */
export function findingsResponse(result: Content): Response {
  return {
    description: "With `check`, a report with errors. Otherwise the document cannot be processed.",
    headers: headersOf("Tool-Version", ...countedHeaders),
    content: { ...result, ...problemContent(422, codesOf.get(422) ?? []) },
  };
}

/** References to the problems of these statuses. */
export const problemsOf = (...statuses: readonly Status[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, refTo("responses", nameOf(status))]));

/** The refusals of a path that sends them in a format of its own, `content`, unless the shell sends them. */
export const refusalsIn = (content: Content, ...statuses: readonly Status[]): Record<string, Response> =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: `${STATUS_CODES[status]}: ${(codesOf.get(status) ?? []).map((code) => `\`${code}\``).join(", ")}.`,
        headers: headersOf(
          "X-Request-Id",
          ...(status === 401 ? ["WWW-Authenticate"] : []),
          ...(status === 429 || status === 503 ? ["Retry-After"] : []),
        ),
        content: { ...content, "application/problem+json": { schema: componentOf("Problem") } },
      },
    ]),
  );

/**
 * Refusals that every path may send: a missing or foreign Host header, a page of another site, a slow request, a URL that is too long, a bug.
 */
export const everywhere: readonly Status[] = [400, 403, 408, 414, 421, 500];

function problemContent(status: Status, codes: readonly ErrorCode[]): Content {
  return {
    "application/problem+json": {
      // Statuses and codes are constants, so that clients can distinguish problems by type.
      schema: {
        allOf: [componentOf("Problem"), objectOf({ status: { const: status }, code: { enum: codes } })],
      },
    },
  };
}

function headersFor(status: Status): readonly string[] {
  // A caller who is not authenticated is not counted.
  if (status === 401) return ["X-Request-Id", "WWW-Authenticate"];
  if (status === 403 || status === 414 || status === 421) return ["X-Request-Id"];
  const headers = ["Tool-Version", ...countedHeaders];
  if (status === 400) return [...headers, "WWW-Authenticate"];
  if (status === 405) return [...headers, "Allow"];
  return status === 429 || status === 503 ? [...headers, "Retry-After"] : headers;
}

/** Returns the reason phrase in one word: TooManyRequests for 429. */
const nameOf = (status: Status): string => (STATUS_CODES[status] ?? `Status${status}`).replaceAll(/\W/g, "");
