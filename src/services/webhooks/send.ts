import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { portOf } from "../../lib/ip/ports.ts";
import { parseRetryAfter } from "../../lib/webhook/retry-after.ts";
import { EndedError, type Failure, toFailure } from "./failure.ts";
import type { Guard, Target } from "./guard.ts";
import { type Answer, post, toExcerpt } from "./post.ts";
import type { Resolved } from "./resolve.ts";
import type { Runtime } from "../../runtime.ts";

/** The result of one request. */
export interface Sent {
  durationMs: number;
  /** The status of the answer, if there was one. */
  status?: number;
  /** The pause that the receiver asks for. */
  retryAfterMs?: number;
  /** The first 1024 bytes of the answer's body as printable text; absent for a blocked target. */
  excerpt?: string;
  /** The reason for an incomplete or missing answer. */
  error?: Failure;
}

/** Sends signed events to receivers: one request each, and only to addresses that the guard has vetted. */
export interface Sender {
  /** Never rejects. */
  send(request: SendRequest): Promise<Sent>;
  /** Ends running requests with the error `closed`, and closes every connection. */
  close(): void;
}

export interface SendRequest {
  url: string;
  method: "POST" | "PUT";
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SenderOptions {
  guard: Guard;
  /** For the whole request: name resolution, connection, TLS, headers and body. */
  timeoutMs: number;
  runtime: Runtime;
  /** The release of penknife, for User-Agent. */
  version: string;
  /** The only trusted certificate authorities, in PEM; those of Node unless given. */
  ca?: string;
}

/** Bounds of idle connections that are kept for the next event. */
const idle = { perHost: 8, inAll: 256, ms: 10_000 };
const headerBytes = 16_384;

export function createSender({ guard, timeoutMs, runtime, version, ca }: SenderOptions): Sender {
  const agents = {
    "http:": boundIdle(new HttpAgent(agentOptions)),
    "https:": boundIdle(new HttpsAgent(agentOptions)),
  };
  const running = new Set<AbortController>();
  let closed = false;

  async function send(outgoing: SendRequest): Promise<Sent> {
    const began = runtime.monotonic();
    const answer: Answer = { beginning: Buffer.alloc(0) };
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(new EndedError("PENKNIFE_TIMEOUT")), timeoutMs);
    running.add(control);
    let error: Failure | undefined;
    try {
      if (closed) throw new EndedError("PENKNIFE_CLOSED");
      const target = await orAborted(guard.vet(outgoing.url), control.signal);
      await request(target, outgoing, answer, control.signal);
    } catch (thrown) {
      error = toFailure(thrown);
    } finally {
      clearTimeout(timer);
      running.delete(control);
    }
    const { status, retryAfter, beginning } = answer;
    const retryAfterMs = parseRetryAfter(retryAfter, runtime.now());
    return {
      durationMs: Math.max(0, Math.round(runtime.monotonic() - began)),
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(beginning.length > 0 && { excerpt: toExcerpt(beginning) }),
      ...(error !== undefined && { error }),
    };
  }

  async function request(
    target: Target,
    { method, headers, body }: SendRequest,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<void> {
    const bytes = Buffer.from(body);
    const protocol = target.url.protocol as keyof typeof agents;
    const open = protocol === "https:" ? requestHttps : requestHttp;
    const options: RequestOptions = {
      ...whereTo(target),
      method,
      headers: { ...headers, "user-agent": `penknife/${version}`, "content-length": bytes.length },
      maxHeaderSize: headerBytes,
      ...(ca !== undefined && { ca }),
    };
    const first = open({ ...options, agent: agents[protocol] });
    try {
      await post(first, bytes, answer, signal);
    } catch (error) {
      // A kept connection can fail because of what came before this request: the receiver closed it, or bytes followed
      // its last answer. Such a request is repeated on a new connection.
      const stale = first.reusedSocket && answer.status === undefined && !signal.aborted;
      if (!stale || !/^(?:connection_reset|invalid_response)$/.test(toFailure(error).code)) throw error;
      await post(open({ ...options, agent: false }), bytes, answer, signal);
    }
  }

  return {
    send,
    close() {
      closed = true;
      for (const control of running) control.abort(new EndedError("PENKNIFE_CLOSED"));
      agents["http:"].destroy();
      agents["https:"].destroy();
    },
  };
}

const agentOptions = {
  keepAlive: true,
  maxFreeSockets: idle.perHost,
  timeout: idle.ms,
  scheduling: "lifo",
} as const;

/** Bounds idle connections over all hosts; the dispatcher bounds those in use. */
function boundIdle<A extends HttpAgent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    let free = 0;
    for (const name in agent.freeSockets) free += agent.freeSockets[name]?.length ?? 0;
    return free < idle.inAll && keep(socket);
  };
  return agent;
}

/** Connects to the vetted addresses, with the name for Host, SNI (RFC 6066 §3: no trailing dot) and the certificate. */
function whereTo({ url, host, addresses }: Target): RequestOptions {
  const isLiteral = isIP(host) !== 0;
  return {
    host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    // Explicit, because an environment variable of Node switches it off.
    rejectUnauthorized: true,
    // Node does not look up literals.
    ...(!isLiteral && { lookup: pin(addresses), servername: host.replace(/\.$/, "") }),
  };
}

/** Addresses tried per IP family; a hostile name may resolve to thousands that never answer. */
const triedAddresses = 4;

/**
 * A look-up that returns the vetted addresses only. A second query could return 127.0.0.1 from an attacker's name server
 * (DNS rebinding). If Node asks for all addresses it gets the first few of each family and tries them in turn (RFC 8305).
 */
export const pin =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error("no address"), "", 0);
    else if (all === true) callback(null, takeFew(addresses));
    else callback(null, first.address, first.family);
  };

function takeFew(addresses: readonly Resolved[]): Resolved[] {
  const taken: Record<number, number> = {};
  return addresses.filter(({ family }) => (taken[family] = (taken[family] ?? 0) + 1) <= triedAddresses);
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
