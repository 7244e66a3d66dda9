import type { InboxService } from "../../services/inbox/service.ts";
import type { Message } from "../../storage/inbox/inbox-store.ts";

export interface FollowOptions {
  service: InboxService;
  inbox: string;
  /** The id of the message after which to start; by default only new messages are read. */
  after: string | undefined;
  /** Aborted when the reader leaves. */
  signal: AbortSignal;
}

/** Milliseconds between two checks that the inbox and its account still exist. */
const lookMs = 1000;

/**
 * Yields the messages of an inbox as they arrive, read one by one on demand: nothing is buffered here, and no message
 * is lost. It ends with the inbox, or at once when the reader leaves.
 * @throws ToolError storage_unavailable, from `next`.
 */
export async function followInbox(options: FollowOptions): Promise<AsyncGenerator<Message, void, undefined>> {
  const { service, inbox, signal } = options;
  const { inboxes, reader } = service;
  let news = true;
  let over = false;
  let wake = (): void => {};

  const endListening = await reader.onMessage(inbox, () => {
    news = true;
    wake();
  });
  const timer = setInterval(() => void look(), lookMs).unref();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();

  function end(): void {
    if (over) return;
    over = true;
    clearInterval(timer);
    signal.removeEventListener("abort", end);
    endListening();
    wake();
  }

  async function look(): Promise<void> {
    try {
      if ((await inboxes.look(inbox)) === undefined) end();
    } catch {
      // A message that cannot be read now may still exist.
    }
  }

  async function* read(from: string | undefined): AsyncGenerator<Message, void, undefined> {
    try {
      for (let after = from; !over;) {
        news = false;
        const message = await reader.next(inbox, after);
        if (message !== undefined) {
          after = message.id;
          if (!isOver()) yield message;
        } else if (!hasNews() && !isOver()) {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    } finally {
      end();
    }
  }

  // Checked again: both may change while others are awaited.
  const hasNews = (): boolean => news;
  const isOver = (): boolean => over;

  try {
    const messages = read(options.after ?? (await reader.stats(inbox)).newestId);
    const { return: leave, throw: raise } = messages;
    return Object.assign(messages, {
      return(): Promise<IteratorResult<Message, void>> {
        end();
        return leave.call(messages, undefined);
      },
      throw(cause: unknown): Promise<IteratorResult<Message, void>> {
        end();
        return raise.call(messages, cause);
      },
    });
  } catch (error) {
    end();
    throw error;
  }
}
