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

/** What became of one request. */
export interface Sent {
  durationMs: number;
  /** Of the answer, where there was one. */
  status?: number;
  /** How long the answer asks us to wait. */
  retryAfterMs?: number;
  /** The first 1024 bytes of the answer's body as text that can be shown; never of a target that is blocked. */
  excerpt?: string;
  /** Why there is no answer, or not the whole of it. */
  error?: Failure;
}

/** Sends signed events to receivers: one request each, never to an address that the guard has not judged. */
export interface Sender {
  /** Never rejects. */
  send(request: SendRequest): Promise<Sent>;
  /** Ends what is on its way, as `closed`, and every connection. */
  close(): void;
}

export interface SendRequest {
  url: string;
  method: "POST" | "PUT";
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SenderOptions {
  guard: Guard;
  /** For all of it: name, connection, TLS, headers and body. */
  timeoutMs: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Of penknife. */
  version: string;
  /** PEM of the only authorities to be believed; without it, those that Node believes. */
  ca?: string;
}

/** Receivers that are told often keep their connection; of all others together no more than these. */
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
      // A kept connection ends here through what came before this request: the receiver closed it meanwhile, or bytes
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

/** The dispatcher bounds connections in use; those that only wait are bounded here, over all hosts. */
function boundIdle<A extends HttpAgent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    let free = 0;
    for (const name in agent.freeSockets) free += agent.freeSockets[name]?.length ?? 0;
    return free < idle.inAll && keep(socket);
  };
  return agent;
}

/** The addresses that were judged, and the name for Host, SNI (RFC 6066 §3: without a dot at the end) and the certificate. */
function whereTo({ url, host, addresses }: Target): RequestOptions {
  const isLiteral = isIP(host) !== 0;
  return {
    host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    // Node switches this off with a variable of the environment.
    rejectUnauthorized: true,
    // Node looks up no literal.
    ...(!isLiteral && { lookup: pin(addresses), servername: host.replace(/\.$/, "") }),
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
