import { RemoteError } from "../remote-error.ts";
import { chunksOf, type Connection, firstPauseMs, pause } from "./connection.ts";
import { createEventReader, type EventReader } from "./event-stream.ts";
import type { MessageView } from "./message.ts";
import { isPassing } from "./refusal.ts";
import type { Remote } from "./remote.ts";

export interface FollowOptions {
  inbox: string;
  /** The id of the message after which it begins; the first one there is unless given. */
  after?: string | undefined;
  /** Only messages of this type. */
  type?: string | undefined;
  /** Whether a server that is not there at the beginning may still come. */
  patient: boolean;
  /** Ends it. */
  signal: AbortSignal;
  connection: Connection;
}

/** The server says something every 15 s. */
const silenceMs = 45_000;
/** Far more than an inbox keeps, so that nothing which is told again can be taken for new. */
const remembered = 10_000;

/**
 * The messages of an inbox as they come, each once, over connections that break and servers that start anew. The next one
 * is asked for when the one before has been dealt with.
 * @throws ToolError where the server refuses for good, RemoteError where there is none, or none answers when the signal comes.
 */
export async function* followMessages(
  remote: Remote,
  { inbox, after, type, patient, signal, connection }: FollowOptions,
): AsyncGenerator<MessageView> {
  const query = type === undefined ? "" : `?type=${encodeURIComponent(type)}`;
  const path = `/api/inboxes/${inbox}/messages${query}`;
  const isNew = createMemory(after);
  let last = after;
  let met = patient;
  let retryMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const stream = await remote.open(path, headers, signal);
      met = true;
      await connection.reached();
      const events = createEventReader();
      for await (const chunk of chunksOf(stream, silenceMs)) {
        for (const { id, data } of feed(events, chunk)) {
          const message = parseMessage(data);
          if (message !== undefined && isNew(message.id) && (type === undefined || message.type === type))
            yield message;
          // Only now: what was not dealt with is told again.
          if (id !== "") last = id;
        }
        retryMs = Math.max(events.retryMs ?? firstPauseMs, 100);
      }
    } catch (error) {
      if (!met || signal.aborted || !isPassing(error)) throw error;
      await connection.lost(error as Error);
    }
    await pause(connection.pauseMs(retryMs), signal);
  }
}

function feed(events: EventReader, chunk: Buffer): ReturnType<EventReader["feed"]> {
  try {
    return events.feed(chunk);
  } catch (error) {
    throw new RemoteError(`The server does not tell messages: ${(error as Error).message}`, false);
  }
}

/** Undefined for what is no message: a newer server may tell more than we know. */
function parseMessage(data: string): MessageView | undefined {
  try {
    const value = JSON.parse(data) as Partial<MessageView> | null;
    return typeof value?.id === "string" && Array.isArray(value.headers) ? (value as MessageView) : undefined;
  } catch {
    return undefined;
  }
}

/** Says whether an id comes for the first time. */
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
