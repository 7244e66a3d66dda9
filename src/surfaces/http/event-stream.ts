import type { Principal } from "../../catalog/principal.ts";
import { letIn } from "../../services/access/refusals.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import type { Http } from "./http.ts";

/** A response of server-sent events (HTML Standard §9.2). */
export interface EventStream {
  /** Aborted when the client disconnects or is too slow, its credential becomes invalid, or the server stops. */
  readonly over: boolean;
  /** Sends the response head. */
  begin(): void;
  /** Sends data. Resolves when the client has read it, except for what socket buffers hold, or when the stream ends. */
  write(text: string | Uint8Array): Promise<void>;
  /**
   * Resolves when `isDone` returns true, checked at each `wake`, or when the stream ends. Sends keep-alives meanwhile.
   */
  pause(isDone: () => boolean): Promise<void>;
  wake(): void;
  /** Waits until the promise is settled, either way. Read its value from the promise afterwards. */
  until(settled: Promise<unknown>): Promise<void>;
}

export interface StreamOptions {
  /** Checked every `lookMs`, together with the credential; a rejection counts as false. */
  isAllowed?(): boolean | Promise<boolean>;
  /** Called once if the stream ends before `work`. */
  onOver?(): void;
}

export interface EventStreams {
  /** Resolves when `work` and the stream have ended; rejects as `work` does. */
  run(
    exchange: Exchange,
    options: StreamOptions,
    work: (stream: EventStream) => Promise<void>,
  ): Promise<void>;
}

interface OpenStream extends EventStream {
  readonly exchange: Exchange;
  readonly options: StreamOptions;
  /** When data was last sent, on the monotonic clock. */
  sentAt: number;
  over: boolean;
  /** Ends the wait for new events. */
  wake: () => void;
}

/** Bytes of one write. Each write has a deadline, so a reader may be slow but must make progress. */
const slice = 262_144;
/**
 * Milliseconds between two checks of the credential. Every node sees a revocation within 500 ms, so a stream ends
 * within a second.
 */
const lookMs = 400;

export function createEventStreams(
  http: Http,
  { authenticate, runtime }: Pick<HttpDeps, "authenticate" | "runtime">,
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
    const time = runtime.monotonic();
    // Streams of one caller share one look-up.
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
      // A credential that cannot be checked is treated as invalid.
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

  /** Cuts off a client that does not read in time. */
  async function writeSlice(stream: OpenStream, bytes: Uint8Array): Promise<void> {
    const { exchange } = stream;
    const { res } = exchange;
    stream.sentAt = runtime.monotonic();
    exchange.bytesOut += bytes.length;
    if (res.write(bytes)) return;
    exchange.deadline = runtime.monotonic() + http.timeouts.write;
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
      if (runtime.monotonic() - stream.sentAt >= http.timeouts.ping) await write(stream, ": ping\n\n");
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
      sentAt: runtime.monotonic(),
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
        // A client that has not read the data will not read the end of the response either.
        if (res.writableNeedDrain) res.destroy();
        else res.end();
      } finally {
        leave(stream);
      }
    },
  };
}

/**
 * Reports whether the credential still identifies the same caller: the key may have been replaced, or the plan may no longer
 * have keys.
 */
export const isSameCaller = (one: Principal | undefined, other: Principal | undefined): boolean =>
  one !== undefined &&
  one.kind === other?.kind &&
  one.account === other.account &&
  one.incarnation === other.incarnation &&
  one.keyId === other.keyId &&
  one.operator === other.operator;

/** `X-Accel-Buffering` keeps nginx from buffering the stream. */
export const streamHeaders = ["Cache-Control", "no-store", "X-Accel-Buffering", "no", "Vary", "Accept"];

const cutOff = ({ res }: Exchange): void => void res.destroy();

const nothing = (): void => {};
