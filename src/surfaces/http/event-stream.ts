import type { Principal } from "../../catalog/principal.ts";
import { letIn } from "../../services/access/auth.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import type { Http } from "./http.ts";

/** An answer of server-sent events (HTML Standard §9.2), which has no end of its own. */
export interface EventStream {
  /** The client is gone or too slow, its credential is not good any more, or the server ends. */
  readonly over: boolean;
  /** Sends the head of the answer. */
  begin(): void;
  /** Resolves when the client has taken it, but for what its connection holds, or the stream is over. */
  write(text: string | Uint8Array): Promise<void>;
  /** Resolves when `isDone`, which is asked again at each `wake`, or the stream is over. Proxies see life meanwhile. */
  pause(isDone: () => boolean): Promise<void>;
  wake(): void;
  /** A pause until the promise is settled, whichever way: whoever needs its value asks it afterwards. */
  until(settled: Promise<unknown>): Promise<void>;
}

export interface StreamOptions {
  /** Asked every `lookMs`, beside whether its credential is good. A rejection is a no. */
  isAllowed?(): boolean | Promise<boolean>;
  /** Called once when it is over before `work` has ended. */
  onOver?(): void;
}

export interface EventStreams {
  /** Resolves when `work` has ended and with it the stream; rejects as `work` does. */
  run(
    exchange: Exchange,
    options: StreamOptions,
    work: (stream: EventStream) => Promise<void>,
  ): Promise<void>;
}

interface OpenStream extends EventStream {
  readonly exchange: Exchange;
  readonly options: StreamOptions;
  /** When something was last sent, on the clock that never goes back. */
  sentAt: number;
  over: boolean;
  /** Ends the wait for news. */
  wake: () => void;
}

/** Bytes of one write: a reader may be slow, but not still. */
const slice = 262_144;
/** A revoked key is seen by every node within half a second; a stream ends within one. */
const lookMs = 400;

export function createEventStreams(
  http: Http,
  { authenticate, monotonic }: Pick<HttpDeps, "authenticate" | "monotonic">,
): EventStreams {
  const open = new Set<OpenStream>();
  let watch: NodeJS.Timeout | undefined;
  http.onLastAnswers(() => {
    for (const stream of open) end(stream);
  });

  function end(stream: OpenStream): void {
    if (stream.over) return;
    stream.over = true;
    stream.options.onOver?.();
    stream.wake();
  }

  function look(): void {
    const time = monotonic();
    // Many streams of one caller are one question.
    const callers = new Map<string, Promise<Principal | undefined>>();
    for (const stream of open) {
      if (stream.exchange.res.destroyed) end(stream);
      if (time - stream.sentAt >= http.timeouts.ping) stream.wake();
      if (!stream.over) void endUnlessAllowed(stream, callers);
    }
  }

  async function endUnlessAllowed(
    stream: OpenStream,
    callers: Map<string, Promise<Principal | undefined>>,
  ): Promise<void> {
    const { exchange, options } = stream;
    const { authorization } = exchange.req.headers;
    try {
      const isGood =
        authorization === undefined || (await isStill(exchange.principal, authorization, callers));
      if (isGood && (await options.isAllowed?.()) !== false) return;
    } catch {
      // What cannot be known is not allowed.
    }
    end(stream);
  }

  async function isStill(
    principal: Principal | undefined,
    authorization: string,
    callers: Map<string, Promise<Principal | undefined>>,
  ): Promise<boolean> {
    let caller = callers.get(authorization);
    if (caller === undefined) callers.set(authorization, (caller = identify(authorization)));
    return isSameCaller(await caller, principal);
  }

  async function identify(authorization: string): Promise<Principal | undefined> {
    try {
      return await authenticate({ authorization, authorizationCount: 1, xApiKey: false, ip: letIn });
    } catch {
      return undefined;
    }
  }

  async function write(stream: OpenStream, text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    for (let at = 0; at < bytes.length && !stream.over; at += slice)
      await writeSlice(stream, bytes.subarray(at, at + slice));
  }

  /** Who does not take it in time is cut off. */
  async function writeSlice(stream: OpenStream, bytes: Uint8Array): Promise<void> {
    const { exchange } = stream;
    const { res } = exchange;
    stream.sentAt = monotonic();
    exchange.bytesOut += bytes.length;
    if (res.write(bytes)) return;
    exchange.deadline = monotonic() + http.timeouts.write;
    exchange.onDeadline = cutOff;
    await new Promise<void>((resolve) => {
      stream.wake = () => {
        if (stream.over) resolve();
      };
      res.once("drain", resolve);
    });
    stream.wake = nothing;
    exchange.deadline = Infinity;
  }

  async function pause(stream: OpenStream, isDone: () => boolean): Promise<void> {
    while (!stream.over && !isDone()) {
      await new Promise<void>((resolve) => (stream.wake = resolve));
      stream.wake = nothing;
      if (monotonic() - stream.sentAt >= http.timeouts.ping) await write(stream, ": ping\n\n");
    }
  }

  async function until(stream: OpenStream, settled: Promise<unknown>): Promise<void> {
    let done = false;
    const arrive = (): void => {
      done = true;
      stream.wake();
    };
    settled.then(arrive, arrive);
    await pause(stream, () => done);
  }

  function enter(exchange: Exchange, options: StreamOptions): OpenStream {
    const stream: OpenStream = {
      exchange,
      options,
      sentAt: monotonic(),
      over: exchange.res.destroyed,
      begin: () => http.reply.begin(exchange, 200, "text/event-stream", streamHeaders),
      write: (text) => write(stream, text),
      pause: (isDone) => pause(stream, isDone),
      wake: nothing,
      until: (settled) => until(stream, settled),
    };
    exchange.onGone = () => end(stream);
    open.add(stream);
    watch ??= setInterval(look, lookMs).unref();
    return stream;
  }

  function leave(stream: OpenStream): void {
    stream.over = true;
    open.delete(stream);
    if (open.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  }

  return {
    async run(exchange, options, work) {
      const stream = enter(exchange, options);
      const { res } = exchange;
      try {
        await work(stream);
        // Whoever does not take what was sent does not take the end of it either.
        if (res.writableNeedDrain) res.destroy();
        else res.end();
      } finally {
        leave(stream);
      }
    },
  };
}

/** Of a key that was made anew, or a plan without keys, the stream is not that caller's any more. */
export const isSameCaller = (one: Principal | undefined, other: Principal | undefined): boolean =>
  one !== undefined &&
  one.kind === other?.kind &&
  one.account === other.account &&
  one.keyId === other.keyId &&
  one.operator === other.operator;

/** The last but one keeps nginx from collecting a stream before it passes it on. */
export const streamHeaders = ["Cache-Control", "no-store", "X-Accel-Buffering", "no", "Vary", "Accept"];

const cutOff = ({ res }: Exchange): void => void res.destroy();

const nothing = (): void => {};
