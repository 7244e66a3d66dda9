import { ToolError } from "../../catalog/errors.ts";
import { type MessageQuery, newest } from "../../services/inbox/read.ts";
import type { InboxService } from "../../services/inbox/service.ts";
import type { Message } from "../../services/storage/inbox/inbox-store.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { isMessageId } from "./inbox-query.ts";
import { createTurns } from "./inbox-turns.ts";
import { toMessageView } from "./inbox-view.ts";

/** Messages as they come, as server-sent events (HTML Standard §9.2). */
export interface Streams {
  /** Resolves when the stream is over. @throws ToolError overloaded, storage_unavailable. */
  run(exchange: Exchange, inbox: string, query: MessageQuery): Promise<void>;
}

interface Stream {
  readonly exchange: Exchange;
  readonly inbox: string;
  readonly account: string;
  /** When something was last sent, on the clock that never goes back. */
  sentAt: number;
  /** There may be something to send. */
  news: boolean;
  over: boolean;
  /** Ends the wait for news or for the reader. */
  wake(): void;
}

const most = { all: 256, account: 32 };
/** Messages with a body of more than so many bytes are sent in turns: a reader may leave each lying for a while. */
const large = { bytes: 65_536, all: 32, account: 4 };
/** Bytes of one write. */
const slice = 262_144;
/** A revoked key is seen by every node within half a second; a stream ends within one. */
const lookMs = 400;
/** What a client waits before it connects again. */
const retryMs = 1000;

export function createStreams(
  http: Http,
  { authenticate, monotonic }: Pick<HttpDeps, "authenticate" | "monotonic">,
  { inboxes, reader }: InboxService,
): Streams {
  const open = new Set<Stream>();
  const turns = createTurns(large);
  let watch: NodeJS.Timeout | undefined;
  http.onLastAnswers(() => {
    for (const stream of open) end(stream);
  });

  function end(stream: Stream): void {
    stream.over = true;
    stream.wake();
  }

  function look(): void {
    const time = monotonic();
    for (const stream of open) {
      if (stream.exchange.res.destroyed) end(stream);
      if (time - stream.sentAt >= http.timeouts.ping) stream.wake();
      void endUnlessAllowed(stream);
    }
  }

  async function endUnlessAllowed(stream: Stream): Promise<void> {
    if (!(await isAllowed(stream))) end(stream);
  }

  /** Whether its key is still good, and the inbox still there. */
  async function isAllowed({ exchange, inbox, account }: Stream): Promise<boolean> {
    const { req, ip } = exchange;
    try {
      const credentials = {
        authorization: req.headers.authorization,
        authorizationCount: 1,
        xApiKey: false,
        ip,
      };
      if ((await authenticate(credentials)).account !== account) return false;
      return (await inboxes.look(inbox))?.account === account;
    } catch {
      return false;
    }
  }

  /** @throws ToolError overloaded */
  function begin(exchange: Exchange, inbox: string): Stream {
    const account = exchange.principal?.account ?? "";
    let own = 0;
    for (const other of open) if (other.account === account) own += 1;
    if (own >= most.account || open.size >= most.all) {
      const whose = own >= most.account ? "of your account " : "";
      throw new ToolError("overloaded", `Too many streams ${whose}are open. End one, then try again.`, {
        retryAfter: 5,
      });
    }
    const stream: Stream = {
      exchange,
      inbox,
      account,
      sentAt: monotonic(),
      news: true,
      over: false,
      wake() {},
    };
    exchange.onGone = () => end(stream);
    open.add(stream);
    watch ??= setInterval(look, lookMs).unref();
    return stream;
  }

  function leave(stream: Stream): void {
    open.delete(stream);
    if (open.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  }

  /** One message at a time, and one slice of it: a reader may be slow, but not still. */
  async function write(stream: Stream, text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    for (let at = 0; at < bytes.length && !stream.over; at += slice)
      await writeSlice(stream, bytes.subarray(at, at + slice));
  }

  /** Who does not take it in time is cut off. */
  async function writeSlice(stream: Stream, bytes: Uint8Array): Promise<void> {
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
    stream.wake = () => {};
    exchange.deadline = Infinity;
  }

  async function tell(stream: Stream, message: Message): Promise<void> {
    const turn = message.body.length > large.bytes ? turns.ask(stream.account) : undefined;
    try {
      if (turn !== undefined) await comeOrOver(stream, turn.come);
      // Neither in vain, nor kept twice, as text and as bytes.
      if (!stream.over) await write(stream, toEvent(message));
    } finally {
      turn?.leave();
    }
  }

  async function comeOrOver(stream: Stream, come: Promise<void>): Promise<void> {
    const turn = { here: false };
    const arrive = (): void => {
      turn.here = true;
      stream.wake();
    };
    void come.then(arrive);
    while (!turn.here && !stream.over) {
      await new Promise<void>((resolve) => (stream.wake = resolve));
      stream.wake = () => {};
      await ping(stream);
    }
  }

  async function ping(stream: Stream): Promise<void> {
    if (monotonic() - stream.sentAt >= http.timeouts.ping) await write(stream, ": ping\n\n");
  }

  /** Until there may be news, or nothing was sent for a while. */
  async function rest(stream: Stream): Promise<void> {
    if (stream.news || stream.over) return;
    await new Promise<void>((resolve) => (stream.wake = resolve));
    stream.wake = () => {};
  }

  async function send(stream: Stream, { after: first, type }: MessageQuery): Promise<void> {
    let after = first;
    while (!stream.over) {
      stream.news = false;
      const message = await reader.next(stream.inbox, after);
      if (message !== undefined) {
        after = message.id;
        if (type === undefined || message.type === type) await tell(stream, message);
        // The next one is looked for at once.
        continue;
      }
      await rest(stream);
      await ping(stream);
    }
  }

  /** Where to begin: a client that comes back says what it has seen (HTML Standard §9.2.4). */
  async function startOf(
    { req }: Exchange,
    inbox: string,
    after: string | undefined,
  ): Promise<string | undefined> {
    const last = req.headers["last-event-id"];
    if (typeof last === "string" && isMessageId(last)) return last;
    return after === newest ? (await reader.stats(inbox)).newestId : after;
  }

  return {
    async run(exchange, inbox, { after, ...query }) {
      const stream = begin(exchange, inbox);
      let endListening: (() => void) | undefined;
      try {
        endListening = await reader.onMessage(inbox, () => {
          stream.news = true;
          stream.wake();
        });
        const start = await startOf(exchange, inbox, after);
        http.reply.begin(exchange, 200, "text/event-stream", streamHeaders);
        await write(stream, `retry: ${retryMs}\n\n`);
        await send(stream, { ...query, ...(start !== undefined && { after: start }) });
        const { res } = exchange;
        // Whoever does not take what was sent does not take the end of it either.
        if (res.writableNeedDrain) res.destroy();
        else res.end();
      } finally {
        endListening?.();
        leave(stream);
      }
    },
  };
}

const toEvent = (message: Message): Uint8Array =>
  Buffer.from(`id: ${message.id}\nevent: message\ndata: ${JSON.stringify(toMessageView(message))}\n\n`);

/** The last one keeps nginx from collecting a stream before it passes it on. */
const streamHeaders = ["Cache-Control", "no-store", "X-Accel-Buffering", "no", "Vary", "Accept"];

const cutOff = ({ res }: Exchange): void => void res.destroy();
