import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoopShare } from "../../catalog/loop-share.ts";
import { type Connection, connectionOf, type WaitingRequest } from "./connection.ts";

/** HTTP pipelining: requests sent before earlier ones are answered (RFC 9112 §9.3.2). */
export interface Pipelining {
  /** Reports whether the request must wait for its turn. If so, it begins later, unless its connection ends first. */
  hold(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): boolean;
  /** Call it when an answer of the connection has ended. */
  ended(connection: Connection): void;
  /** Number of waiting requests. */
  waiting(): number;
}

export interface PipeliningDeps {
  loop: LoopShare;
  begin(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void;
  /** Called when a connection is closed because too many requests are waiting. */
  onFlood(connection: Connection): void;
}

/** Most unanswered requests of one connection; beyond that its socket is not read. */
const maxOwed = 16;
/**
 * Most waiting requests of all connections. One read of a socket may contain two thousand, and Node parses them all. A
 * connection that exceeds `maxOwed` while this many wait is closed.
 */
const maxWaiting = 4096;

/**
 * Begins every request of a connection after the first in a turn of the event loop of its own, so that other
 * connections are served in between.
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
    while (connection.waiting.length > 0 && connection.owed < maxOwed) {
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
      // Node continues to parse input of a socket that is closed by now.
      if (socket.destroyed) return true;
      watch(connection, socket);
      if (total >= maxWaiting && waiting.length >= maxOwed) {
        onFlood(connection);
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

const isFull = ({ owed, waiting }: Connection): boolean => owed + waiting.length >= maxOwed;
