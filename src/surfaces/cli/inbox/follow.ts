import { RemoteError } from "../remote-error.ts";
import { chunksOf, type Connection, firstPauseMs, pause } from "./connection.ts";
import { createEventReader, type EventReader } from "./event-stream.ts";
import type { MessageView } from "./message.ts";
import { isTransient } from "./refusal.ts";
import type { Remote } from "./remote.ts";

export interface FollowOptions {
  inbox: string;
  /** Start after the message with this id; undefined starts with the first one kept. */
  after?: string | undefined;
  /** Only messages of this type. */
  type?: string | undefined;
  /** Whether to retry if the first connection fails. */
  patient: boolean;
  /** Stops following. */
  signal: AbortSignal;
  connection: Connection;
}

/** Longer than the interval at which the server sends comments, 15 s. */
const silenceMs = 45_000;
/** Ids remembered to drop repeated messages; far more than an inbox keeps. */
const remembered = 10_000;

/**
 * Yields the messages of an inbox as they arrive, each once, across broken connections and restarts of the server.
 * @throws ToolError if the server refuses permanently, RemoteError if it cannot be reached.
 */
export async function* followMessages(
  remote: Remote,
  { inbox, after, type, patient, signal, connection }: FollowOptions,
): AsyncGenerator<MessageView> {
  const query = type === undefined ? "" : `?type=${encodeURIComponent(type)}`;
  const path = `/api/inboxes/${inbox}/messages${query}`;
  const isNew = createMemory(after);
  let last = after;
  let connected = patient;
  let retryMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const stream = await remote.open(path, headers, signal);
      connected = true;
      await connection.reached();
      const events = createEventReader();
      for await (const chunk of chunksOf(stream, silenceMs)) {
        for (const { id, data } of feed(events, chunk)) {
          const message = parseMessage(data);
          if (message !== undefined && isNew(message.id) && (type === undefined || message.type === type))
            yield message;
          // Set only after the message is handled: the server sends an unhandled one again.
          if (id !== "") last = id;
        }
        retryMs = Math.max(events.retryMs ?? firstPauseMs, 100);
      }
    } catch (error) {
      if (!connected || signal.aborted || !isTransient(error)) throw error;
      await connection.lost(error as Error);
    }
    await pause(connection.pauseMs(retryMs), signal);
  }
}

function feed(events: EventReader, chunk: Buffer): ReturnType<EventReader["feed"]> {
  try {
    return events.feed(chunk);
  } catch (error) {
    throw new RemoteError(`The server sent no valid event stream: ${(error as Error).message}`, false);
  }
}

/** Parses a message; undefined for anything else, which a newer server may send. */
function parseMessage(data: string): MessageView | undefined {
  try {
    const value = JSON.parse(data) as Partial<MessageView> | null;
    return typeof value?.id === "string" && Array.isArray(value.headers) ? (value as MessageView) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a function that is true for each id the first time. */
function createMemory(known: string | undefined): (id: string) => boolean {
  const ids = new Set(known === undefined ? [] : [known]);
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    const [oldest = id] = ids;
    if (ids.size > remembered) ids.delete(oldest);
    return true;
  };
}
