import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isLoopback } from "../../../lib/loopback.ts";
import { toFailure } from "../../webhooks/failure.ts";
import { ProviderFault } from "./provider-fault.ts";

/** Sends one request to the provider. Rejects with ProviderFault only. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

export interface ProviderRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: URLSearchParams | undefined;
}

export interface ProviderFetchOptions {
  /** The only trusted certificate authorities, in PEM; those of Node unless given. */
  ca?: string;
  userAgent: string;
  /** For the whole request: name resolution, connection, TLS, headers and body. */
  timeoutMs: number;
}

/** Most bytes of an answer: documents of providers have some kilobytes. */
const maxBytes = 1_048_576;

/** Headers of an answer that are read. Others could make the library do more than this client wants. */
const read = ["content-type", "date"] as const;

/**
 * Returns a `fetch` with bounds, for a host that the operator chose: redirects are not followed, and an answer has to be
 * complete in time. Plain HTTP is for loopback addresses.
 */
export function createProviderFetch({ ca, userAgent, timeoutMs }: ProviderFetchOptions): ProviderFetch {
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const { protocol, hostname, host } = new URL(url);
      const fail = (what: string): void => {
        clearTimeout(timer);
        reject(new ProviderFault("unavailable", `${host} ${what}.`));
        request.destroy();
      };
      if (protocol !== "https:" && !isLoopback(hostname)) {
        reject(
          new ProviderFault(
            "unavailable",
            `${host} must be asked over HTTPS, and the provider names ${protocol}//.`,
          ),
        );
        return;
      }
      const bytes = Buffer.from(body?.toString() ?? "");
      const request = (protocol === "https:" ? requestHttps : requestHttp)(url, {
        method,
        headers: { ...headers, "user-agent": userAgent, ...(body && { "content-length": bytes.length }) },
        agent: false,
        // Explicit, because an environment variable of Node switches it off.
        rejectUnauthorized: true,
        ...(ca !== undefined && { ca }),
      });
      const timer = setTimeout(
        () => fail(`did not answer completely within ${timeoutMs / 1000} seconds`),
        timeoutMs,
      );
      request
        .on("response", (response) => {
          const status = response.statusCode ?? 0;
          if (status >= 300 && status < 400) return fail("answered with a redirect, which is not followed");
          readBody(response, fail, (text) => {
            clearTimeout(timer);
            resolve(toResponse(response, status, text));
          });
        })
        // 101: the request does not offer another protocol.
        .on("upgrade", () => fail("switched to another protocol"))
        .on("error", (error) => fail(describe(error)))
        .on("close", () => fail("closed the connection before its answer was complete"))
        .end(bytes);
    });
}

function readBody(
  response: IncomingMessage,
  fail: (what: string) => void,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let total = 0;
  response
    .on("data", (chunk: Buffer) => {
      total += chunk.length;
      if (total > maxBytes) fail("answered with more than 1 MiB");
      else chunks.push(chunk);
    })
    .on("error", (error) => fail(describe(error)))
    .on("end", () => done(Buffer.concat(chunks)));
}

function toResponse({ headers }: IncomingMessage, status: number, body: Buffer): Response {
  const kept = read.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as [string, string]],
  );
  // A Response refuses a body with these.
  const isEmpty = status === 204 || status === 205;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers: kept });
}

/** Describes an error of the connection; messages of Node contain addresses. */
function describe(error: Error): string {
  if ("code" in error && error.code === "ENOTFOUND") return "is not a name that this machine can resolve";
  return failures[toFailure(error).code] ?? "cannot be reached";
}

const failures: Partial<Record<ReturnType<typeof toFailure>["code"], string>> = {
  timeout: "did not accept the connection in time",
  connection_refused: "does not listen on that port",
  connection_reset: "closed the connection before its answer was complete",
  unreachable: "has an address that is unreachable",
  certificate_invalid:
    "has a certificate that has expired, is for another name, or is of an authority that is not trusted (oidc.caFile)",
  tls_error: "failed in the TLS handshake",
  headers_too_large: "answered with more than 16 KB of headers",
  invalid_response: "does not speak HTTP",
};
