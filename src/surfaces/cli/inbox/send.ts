import { type IncomingMessage, request, type RequestOptions } from "node:http";
import { request as requestSecurely } from "node:https";
import { getCACertificates } from "node:tls";
import { RemoteError } from "../remote-error.ts";

export interface Sending {
  method: string;
  /** By name; or names and values in turn, which go out as they are, with nothing added. */
  headers: Readonly<Record<string, string>> | readonly string[];
  body?: Uint8Array;
  signal?: AbortSignal;
  /** Until the head of the answer is there, in milliseconds. */
  patienceMs: number;
}

/**
 * Sends one request and gives what comes back as soon as its head is there; its body is the caller's to read or destroy.
 * `fetch` would not do: it follows redirects with the key, decodes bodies, and lets nobody say Host.
 * @throws RemoteError where nothing comes back.
 */
export function send(
  url: URL,
  { method, headers, body, signal, patienceMs }: Sending,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const options = {
    method,
    headers,
    // A connection of its own: what one leaves behind is no other's.
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
    // What goes wrong after the head reaches whoever reads the body.
    sent.on("error", (error) => reject(toRemoteError(url, error)));
    sent.end(body);
  });
}

let known: readonly string[] | undefined;

/** Those that Node brings and those of this machine, where a house keeps its own; `curl` asks these. */
const authorities = (): readonly string[] =>
  (known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])]);

/** What the network said, in a sentence. A certificate that is wrong stays wrong, whatever else may pass. */
export function toRemoteError(url: URL, error: unknown): RemoteError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const lasting = /CERT|SIGNATURE|^ERR_(?:TLS|SSL)|^EPROTO$/.test(code);
  // An address list that was tried in vain has a code and an empty message.
  const what = code === "ABORT_ERR" ? "no answer in time" : message === "" ? code : message;
  return new RemoteError(`${url.origin} cannot be reached: ${what}`, !lasting);
}

/** All of a body, but not more than `limit` bytes. */
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
