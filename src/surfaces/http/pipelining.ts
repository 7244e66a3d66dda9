import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoopShare } from "../../catalog/loop-share.ts";
import { type Connection, connectionOf, type WaitingRequest } from "./connection.ts";

/** Requests that a client sends without waiting for the answers (RFC 9112 §9.3.2). */
export interface Pipelining {
  /** Whether the request has to wait for its turn. It then begins later, unless its connection ends first. */
  hold(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): boolean;
  /** Call it when an answer of the connection has ended. */
  ended(connection: Connection): void;
  /** Requests that wait. */
  waiting(): number;
}

export interface PipeliningDeps {
  loop: LoopShare;
  begin(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void;
  /** Called when a connection is closed because too many requests wait. */
  onFlood(connection: Connection): void;
}

/** The most answers that one connection is owed. Beyond that its socket is not read. */
export const owedMost = 16;
/**
 * The most requests that wait on all connections. One read of a socket may hold two thousand, and Node parses them all. A
 * connection that adds more than `owedMost` while this many wait is closed.
 */
const waitingMost = 4096;

/**
 * Begins the second and every further request of a connection in a turn of the event loop of its own, so that however
 * many a client has sent at once, the requests of others get in between.
 */
export function createPipelining({ loop, begin, onFlood }: PipeliningDeps): Pipelining {
  let total = 0;

  function watch(connection: Connection, socket: IncomingMessage["socket"]): void {
    if (connection.isWatched) return;
    connection.isWatched = true;
    // Node resumes the socket after each answer to a request whose body was not read.
    socket.on("resume", () => {
      if (isFull(connection)) socket.pause();
    });
    socket.once("close", () => clear(connection));
  }

  function clear({ waiting }: Connection): void {
    total -= waiting.length;
    waiting.length = 0;
  }

  async function beginInTurn(connection: Connection, socket: IncomingMessage["socket"]): Promise<void> {
    if (connection.isBeginning) return;
    connection.isBeginning = true;
    while (connection.waiting.length > 0 && connection.owed < owedMost) {
      await loop.next();
      const next: WaitingRequest | undefined = connection.waiting.shift();
      if (next === undefined) break;
      total -= 1;
      begin(next.req, next.res, next.expectsContinue);
    }
    connection.isBeginning = false;
    if (!isFull(connection)) socket.resume();
  }

  return {
    hold(req, res, expectsContinue) {
      const { socket } = req;
      const connection = connectionOf(socket);
      const { waiting } = connection;
      if (connection.owed === 0 && waiting.length === 0 && !connection.isBeginning) return false;
      // Node still parses all that it has read from a socket that is closed by now.
      if (socket.destroyed) return true;
      watch(connection, socket);
      if (total >= waitingMost && waiting.length >= owedMost) {
        onFlood(connection);
        clear(connection);
        socket.destroy();
        return true;
      }
      total += 1;
      waiting.push({ req, res, expectsContinue });
      if (isFull(connection)) socket.pause();
      void beginInTurn(connection, socket);
      return true;
    },
    ended(connection) {
      if (connection.waiting.length > 0) {
        const { req } = connection.waiting[0] as WaitingRequest;
        void beginInTurn(connection, req.socket);
      }
    },
    waiting: () => total,
  };
}

const isFull = ({ owed, waiting }: Connection): boolean => owed + waiting.length >= owedMost;
