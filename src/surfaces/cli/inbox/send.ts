import { type IncomingMessage, request, type RequestOptions } from "node:http";
import { request as requestSecurely } from "node:https";
import { getCACertificates } from "node:tls";
import { RemoteError } from "../remote-error.ts";

export interface Sending {
  method: string;
  /** By name; or alternating names and values, which are sent unchanged with nothing added. */
  headers: Readonly<Record<string, string>> | readonly string[];
  body?: Uint8Array;
  signal?: AbortSignal;
  /** Most milliseconds until the head of the response. */
  patienceMs: number;
}

/**
 * Sends one request and resolves with the response once its head arrives; the caller must read or destroy its body.
 * `fetch` follows redirects with the key, decodes bodies and does not let the caller set Host.
 * @throws RemoteError if there is no response.
 */
export function send(
  url: URL,
  { method, headers, body, signal, patienceMs }: Sending,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const options = {
    method,
    headers,
    // A connection of its own, so that no state of another request can affect it.
    agent: false,
    ...(signal && { signal }),
    ...(secure && { ca: authorities() }),
  };
  return new Promise((resolve, reject) => {
    const sent = (secure ? requestSecurely : request)(url, options as RequestOptions, resolve);
    const late = new Error(`no answer within ${patienceMs / 1000} s`);
    const timer = setTimeout(() => sent.destroy(late), patienceMs);
    sent.on("response", () => clearTimeout(timer));
    sent.on("close", () => clearTimeout(timer));
    // Later errors reach the reader of the body.
    sent.on("error", (error) => reject(toRemoteError(url, error)));
    sent.end(body);
  });
}

let known: readonly string[] | undefined;

/** The certificate authorities of Node and of this machine, where an organization installs its own; `curl` uses those. */
const authorities = (): readonly string[] =>
  (known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])]);

/** Converts a network error. All are transient except those of certificates and TLS. */
function toRemoteError(url: URL, error: unknown): RemoteError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const permanent = /CERT|SIGNATURE|^ERR_(?:TLS|SSL)|^EPROTO$/.test(code);
  // An AggregateError of several addresses has a code and an empty message.
  const what = code === "ABORT_ERR" ? "no answer in time" : message === "" ? code : message;
  return new RemoteError(`${url.origin} cannot be reached: ${what}`, !permanent);
}

/** Reads a whole body. @throws RemoteError for more than `limit` bytes. */
export async function readAll(response: IncomingMessage, url: URL, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new RemoteError(`${url.origin} answered with more than ${limit} bytes`, false);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof RemoteError ? error : toRemoteError(url, error);
  }
  return Buffer.concat(chunks);
}
