import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { KeyHolder } from "../../services/access/auth.ts";

/** What the shell knows about one connection, from its acceptance to its end. */
export interface Connection extends KeyHolder {
  readonly socket: Socket;
  /** The proxy header of the last request, and the client address that it gave. */
  header: string | undefined;
  ip: string | undefined;
  /** Requests that have begun and whose answers have not ended. */
  owed: number;
  /** Requests that were read ahead of their turn. */
  readonly waiting: WaitingRequest[];
  /** Whether a waiting request is about to begin. */
  isBeginning: boolean;
  /** Listens for the events that waiting requests depend on. */
  isWatched: boolean;
  /** When its last request ended, on the monotonic clock, and how many bytes had been read by then. */
  idleSince: number;
  readBytes: number;
  /** Whether it carries a WebSocket. */
  isUpgraded: boolean;
  /** Whether it was accepted without room, so that it may ask only for a probe. */
  isReserved: boolean;
}

export interface WaitingRequest {
  req: IncomingMessage;
  res: ServerResponse;
  expectsContinue: boolean;
}

const key = Symbol("connection");

type TrackedSocket = Socket & { [key]?: Connection };

/** Returns the connection of a socket; for a TLS socket only after `shareConnection`. */
export function connectionOf(socket: TrackedSocket): Connection {
  return (socket[key] ??= {
    socket,
    header: undefined,
    ip: undefined,
    hashed: undefined,
    owed: 0,
    waiting: [],
    isBeginning: false,
    isWatched: false,
    idleSince: 0,
    readBytes: 0,
    isUpgraded: false,
    isReserved: false,
  });
}

/** Lets both sockets of a TLS connection have one state. */
export function shareConnection(from: TrackedSocket, to: TrackedSocket): void {
  to[key] = connectionOf(from);
}
