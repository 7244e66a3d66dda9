import type { Timeouts } from "../http/timeouts.ts";
import type { SocketTimes } from "./socket.ts";
import type { SocketCallers } from "./socket-callers.ts";
import { brake, closeFor, closeWhenDone, type Connection, cut } from "./socket-connection.ts";
import type { Runtime } from "../../runtime.ts";

/** Checks all connections a few times a second with one timer. */
export interface Watch {
  start(): void;
  stop(): void;
  /** A complete message was received. */
  heard(connection: Connection): void;
  /** A ping or a pong with that many bytes was received. */
  control(connection: Connection, bytes: number): void;
}

export interface WatchDeps {
  open: Iterable<Connection>;
  callers: SocketCallers;
  time: Pick<SocketTimes, "pong" | "slow" | "look">;
  timeouts: Pick<Timeouts, "ping" | "body">;
  runtime: Runtime;
}

/** Most bytes of a client's frame before its payload: opcode, length and mask (RFC 6455 §5.2). */
const frameHead = 6;
/** Bytes of an incomplete message above which its progress is checked. */
const large = 65_536;

export function createWatch({ open, callers, time, timeouts, runtime }: WatchDeps): Watch {
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  function look(): void {
    const now = runtime.monotonic();
    for (const connection of open) lookAt(connection, now);
    // The store may be slow; only one check runs at a time.
    if (looking) return;
    looking = true;
    void callers.look(open, closeFor).finally(() => (looking = false));
  }

  function lookAt(connection: Connection, now: number): void {
    const { flow } = connection;
    const reader = flow.look(now);
    if (reader === "stuck") return cut(connection, "overloaded");
    if (isSlowToSend(connection, now)) return cut(connection, "request_timeout");
    if (connection.ending) closeWhenDone(connection);
    if (connection.closing) return;
    if (connection.paused && !flow.isFull() && connection.beginning === 0) brake(connection, false);
    // A ping cannot pass queued data, so a client that reads it counts as alive.
    if (reader === "moving" || connection.paused) connection.silent = false;
    if (connection.silent) {
      if (now - connection.askedAt >= time.pong) cut(connection, "cancelled");
    } else if (now - connection.askedAt >= timeouts.ping) {
      connection.askedAt = now;
      connection.silent = true;
      connection.peer.ping();
    }
  }

  /** An incomplete message is held in memory until its end, like the body of a request. */
  function isSlowToSend(connection: Connection, now: number): boolean {
    if (connection.paused || connection.socket.bytesRead - connection.readBytes <= large)
      connection.partialSince = undefined;
    else connection.partialSince ??= now;
    return connection.partialSince !== undefined && now - connection.partialSince >= timeouts.body;
  }

  return {
    start: () => void (timer ??= setInterval(look, time.look).unref()),
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    heard(connection) {
      connection.silent = false;
      connection.readBytes = connection.socket.bytesRead;
      connection.partialSince = undefined;
    },
    control(connection, bytes) {
      connection.silent = false;
      connection.readBytes += frameHead + bytes;
      // The library answers each ping.
      if (!connection.closing && connection.flow.isFull()) brake(connection, true);
    },
  };
}
