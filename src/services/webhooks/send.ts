import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { portOf } from "../../lib/ip/ports.ts";
import { parseRetryAfter } from "../../lib/webhook/retry-after.ts";
import { type Answer, exchange } from "./exchange.ts";
import { toExcerpt } from "./excerpt.ts";
import { EndedError, type Failure, toFailure } from "./failure.ts";
import type { Guard, Target } from "./guard.ts";
import { pin } from "./pin.ts";

/** The result of one request. */
export interface Sent {
  durationMs: number;
  /** Status of the answer, if there was one. */
  status?: number;
  /** The wait that the answer asks for. */
  retryAfterMs?: number;
  /** The first 1024 bytes of the answer's body as printable text; never of a blocked target. */
  excerpt?: string;
  /** Why there is no complete answer. */
  error?: Failure;
}

/** Sends signed events: one request each, only to addresses that the guard has vetted. */
export interface Sender {
  /** Never rejects. */
  send(request: SendRequest): Promise<Sent>;
  /** Ends requests in progress as `closed`, and every connection. */
  close(): void;
}

export interface SendRequest {
  url: string;
  method: "POST" | "PUT";
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SenderOptions {
  guard: Guard;
  /** For the whole request: name, connection, TLS, headers and body. */
  timeoutMs: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** The version of penknife. */
  version: string;
  /** PEM of the only trusted authorities; without it, Node's. */
  ca?: string;
}

/** Idle connections kept per receiver and in total: receivers of frequent events keep theirs. */
const idle = { perHost: 8, inAll: 256, ms: 10_000 };
const headerBytes = 16_384;

export function createSender({ guard, timeoutMs, now, monotonic, version, ca }: SenderOptions): Sender {
  const agents = {
    "http:": boundIdle(new HttpAgent(agentOptions)),
    "https:": boundIdle(new HttpsAgent(agentOptions)),
  };
  const running = new Set<AbortController>();
  let closed = false;

  async function send(outgoing: SendRequest): Promise<Sent> {
    const began = monotonic();
    const answer: Answer = { beginning: Buffer.alloc(0) };
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(new EndedError("PENKNIFE_TIMEOUT")), timeoutMs);
    running.add(control);
    let error: Failure | undefined;
    try {
      if (closed) throw new EndedError("PENKNIFE_CLOSED");
      const target = await orAborted(guard.vet(outgoing.url), control.signal);
      await deliver(target, outgoing, answer, control.signal);
    } catch (thrown) {
      error = toFailure(thrown);
    } finally {
      clearTimeout(timer);
      running.delete(control);
    }
    const { status, retryAfter, beginning } = answer;
    const retryAfterMs = parseRetryAfter(retryAfter, now());
    return {
      durationMs: Math.max(0, Math.round(monotonic() - began)),
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(beginning.length > 0 && { excerpt: toExcerpt(beginning) }),
      ...(error !== undefined && { error }),
    };
  }

  async function deliver(
    target: Target,
    { method, headers, body }: SendRequest,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<void> {
    const bytes = Buffer.from(body);
    const protocol = target.url.protocol as keyof typeof agents;
    const options: RequestOptions = {
      ...whereTo(target),
      method,
      headers: { ...headers, "user-agent": `penknife/${version}`, "content-length": bytes.length },
      maxHeaderSize: headerBytes,
      ...(ca !== undefined && { ca }),
    };
    const open = protocol === "https:" ? requestHttps : requestHttp;
    const request = open({ ...options, agent: agents[protocol] });
    try {
      await exchange(request, bytes, answer, signal);
    } catch (error) {
      // A kept connection may fail because of what came before this request: the receiver closed it meanwhile, or bytes
      // followed its last answer.
      const stale = request.reusedSocket && answer.status === undefined && !signal.aborted;
      if (!stale || !/^(?:connection_reset|invalid_response)$/.test(toFailure(error).code)) throw error;
      await exchange(open({ ...options, agent: false }), bytes, answer, signal);
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

/**
 * Returns the vetted addresses, and the name for Host, SNI (RFC 6066 §3: without a trailing dot) and the certificate.
 */
function whereTo({ url, host, addresses }: Target): RequestOptions {
  const isLiteral = isIP(host) !== 0;
  return {
    host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    // Otherwise an environment variable of Node could switch it off.
    rejectUnauthorized: true,
    // Node resolves no IP literals.
    ...(!isLiteral && { lookup: pin(addresses), servername: host.replace(/\.$/, "") }),
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
