import { ToolError } from "../../catalog/errors.ts";
import type { InboxService } from "../../services/inbox/service.ts";
import { hasNoBody } from "../../services/inbox/input.ts";
import type { InboxRecord } from "../../storage/records.ts";
import type { BodyLimit } from "../http/body.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";

/** Most delayed answers of one inbox at a time. */
const maxWaiting = 16;

/** `POST|PUT /inbox/<id>`: stores a message, then sends the configured answer. */
export function createReceive(
  http: Http,
  { options }: Pick<HttpDeps, "options">,
  { inboxes, receiver }: InboxService,
  max: BodyLimit,
): Handler {
  const { body, reply } = http;
  // Delayed answers occupy places of requests being served; without a bound, two inboxes could take them all.
  const maxWaitingOfAll = Math.max(1, Math.floor(options.maxConcurrency / 4));
  const waiting = new Map<string, number>();
  let waitingCount = 0;
  const wakers = new Set<() => void>();
  http.onLastAnswers(() => {
    for (const wake of wakers) wake();
  });

  /** Counts a delayed answer. @throws ToolError overloaded */
  function takePlace({ id, delayMs }: InboxRecord): () => void {
    if (delayMs === 0) return () => {};
    const count = waiting.get(id) ?? 0;
    if (count >= maxWaiting || waitingCount >= maxWaitingOfAll) {
      throw new ToolError("overloaded", "Too many delayed answers of inboxes are pending.", {
        retryAfter: 1,
      });
    }
    waiting.set(id, count + 1);
    waitingCount += 1;
    return () => {
      waitingCount -= 1;
      const left = (waiting.get(id) ?? 1) - 1;
      if (left > 0) waiting.set(id, left);
      else waiting.delete(id);
    };
  }

  /** Resolves after the delay, when the client disconnects, or when the server stops. */
  async function pause(exchange: Exchange, ms: number): Promise<void> {
    if (ms === 0 || exchange.res.destroyed) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        wakers.delete(wake);
        exchange.onGone = undefined;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      wakers.add(wake);
      exchange.onGone = wake;
    });
  }

  async function take(exchange: Exchange, inbox: InboxRecord): Promise<boolean> {
    const { req, query } = exchange;
    const bytes = await body.read(exchange, max.bytes, max);
    const method = req.method === "PUT" ? "PUT" : "POST";
    return receiver.receive(inbox, { method, query, rawHeaders: req.rawHeaders, body: bytes });
  }

  function answer(exchange: Exchange, { status, body: text }: InboxRecord, duplicate: boolean): void {
    if (hasNoBody(status)) {
      // Only 205 of these statuses may have a body; Node would send an empty chunked one.
      return reply.sendEmpty(exchange, status, status === 205 ? [...fresh, "Content-Length", "0"] : fresh);
    }
    if (text === undefined) {
      return reply.send(
        exchange,
        status,
        "application/json",
        JSON.stringify({ received: true, duplicate }),
        fresh,
      );
    }
    reply.send(
      exchange,
      status,
      isJson(text) ? "application/json" : "text/plain; charset=utf-8",
      text,
      fresh,
    );
  }

  return async (exchange) => {
    const inbox = await inboxes.look(exchange.params?.["id"] ?? "");
    // Before the body is read, and with the same message whatever the reason.
    if (inbox === undefined) {
      http.uncounted.take(exchange);
      throw new ToolError("not_found", "There is no such inbox.");
    }
    receiver.admit(inbox.id);
    const leave = takePlace(inbox);
    try {
      const duplicate = await take(exchange, inbox);
      // The message is stored; nothing of it is held from here on.
      body.release(exchange);
      await pause(exchange, inbox.delayMs);
      answer(exchange, inbox, duplicate);
    } finally {
      leave();
    }
  };
}

const fresh = ["Cache-Control", "no-store"];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
