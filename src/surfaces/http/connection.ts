import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { KeyHolder } from "../../services/access/auth.ts";
import type { ClientIp } from "../../services/access/client-ip.ts";

/** State of one connection, from its acceptance to its end. */
export interface Connection extends KeyHolder {
  readonly socket: Socket;
  /** The proxy header of the last request, and the client address found in it. */
  header: string | undefined;
  ip: string | undefined;
  /** Requests that have begun and are not fully answered. */
  owed: number;
  /** Requests that were parsed before their turn. */
  readonly waiting: WaitingRequest[];
  /** Whether a waiting request is about to begin. */
  isBeginning: boolean;
  /** Whether listeners for its waiting requests are attached. */
  isWatched: boolean;
  /** When its last request ended, on the monotonic clock, and how many bytes had been read by then. */
  idleSince: number;
  readBytes: number;
  /** Whether it carries a WebSocket. */
  isUpgraded: boolean;
  /** Whether it was accepted beyond the limit and serves only a probe. */
  isReserved: boolean;
}

export interface WaitingRequest {
  req: IncomingMessage;
  res: ServerResponse;
  expectsContinue: boolean;
}

const key = Symbol("connection");

type TrackedSocket = Socket & { [key]?: Connection };

/** Returns the connection of a socket. For a TLS socket, `shareConnection` must have been called. */
export function connectionOf(socket: TrackedSocket): Connection {
  return (socket[key] ??= {
    socket,
    header: undefined,
    ip: undefined,
    hashed: undefined,
    caller: undefined,
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

/** Makes both sockets of a TLS connection share one state. */
export function shareConnection(from: TrackedSocket, to: TrackedSocket): void {
  to[key] = connectionOf(from);
}

/** Returns a function that finds the client address of a request, cached per connection, or per client behind a proxy. */
export function createAddressOf(
  clientIp: ClientIp,
  proxyHeader: string,
): (req: IncomingMessage, connection: Connection) => string {
  const name = proxyHeader.toLowerCase();
  return (req, connection) => {
    // Node returns a list only if the proxy header occurs more than once.
    const value = req.headers[name];
    const header = typeof value === "object" ? value.join(",") : value;
    if (connection.ip !== undefined && connection.header === header) return connection.ip;
    const ip = clientIp(req.socket.remoteAddress, header);
    connection.header = header;
    connection.ip = ip;
    return ip;
  };
}
