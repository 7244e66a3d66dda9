import { isMessageId, type MessageQuery, newest } from "../../services/inbox/read.ts";
import type { InboxService } from "../../services/inbox/service.ts";
import type { Message } from "../../storage/inbox/inbox-store.ts";
import type { HttpDeps } from "../http/deps.ts";
import { createEventStreams, type EventStream } from "../http/event-stream.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { createConnectionLimiter } from "../http/connection-limiter.ts";
import { createTurns } from "./inbox-turns.ts";
import { toMessageView } from "../../services/inbox/view.ts";

/** Streams messages as they arrive, as server-sent events. */
export interface Streams {
  /** Resolves when the stream has ended. @throws ToolError overloaded, storage_unavailable. */
  run(exchange: Exchange, inbox: string, query: MessageQuery): Promise<void>;
}

const max = { all: 256, own: 32, what: "streams" };
/** Bytes of a body above which messages are sent in turns, because a slow reader holds each for a while. */
const large = { bytes: 65_536, all: 32, account: 4 };
/** Milliseconds that a client waits before it reconnects. */
const retryMs = 1000;

export function createStreams(
  http: Http,
  deps: Pick<HttpDeps, "authenticate" | "runtime">,
  { inboxes, reader }: InboxService,
): Streams {
  const streams = createEventStreams(http, deps);
  const limiter = createConnectionLimiter(max);
  const turns = createTurns(large);

  async function sendMessage(stream: EventStream, account: string, message: Message): Promise<void> {
    const turn = message.body.length > large.bytes ? turns.ask(account) : undefined;
    try {
      if (turn !== undefined) await stream.until(turn.come);
      // Skips unwanted messages, and does not hold one both as text and as bytes.
      if (!stream.over) await stream.write(toEvent(message));
    } finally {
      turn?.leave();
    }
  }

  async function send(
    stream: EventStream,
    exchange: Exchange,
    inbox: string,
    { after: first, type }: MessageQuery,
  ): Promise<void> {
    const account = accountOf(exchange);
    let news = true;
    const endListening = await reader.onMessage(inbox, () => {
      news = true;
      stream.wake();
    });
    try {
      let after = await startOf(exchange, inbox, first);
      stream.begin();
      await stream.write(`retry: ${retryMs}\n\n`);
      while (!stream.over) {
        news = false;
        const message = await reader.next(inbox, after);
        if (message === undefined) {
          await stream.pause(() => news);
          continue;
        }
        after = message.id;
        if (type === undefined || message.type === type) await sendMessage(stream, account, message);
      }
    } finally {
      endListening();
    }
  }

  /** Returns where to start: a reconnecting client sends the last id it has seen (HTML Standard §9.2.4). */
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
    async run(exchange, inbox, query) {
      const account = accountOf(exchange);
      const slot = limiter.acquire(account);
      const isAllowed = async (): Promise<boolean> => (await inboxes.look(inbox))?.account === account;
      try {
        await streams.run(exchange, { isAllowed }, (stream) => send(stream, exchange, inbox, query));
      } finally {
        slot.release();
      }
    },
  };
}

const accountOf = ({ principal }: Exchange): string => principal?.account ?? "";

const toEvent = (message: Message): Uint8Array =>
  Buffer.from(`id: ${message.id}\nevent: message\ndata: ${JSON.stringify(toMessageView(message))}\n\n`);
