import type { Socket } from "node:net";
import type { Peer } from "crossws";
import type { ErrorCode, ToolError } from "../../catalog/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { redact } from "../http/problem.ts";
import type { ConnectionSlot } from "../http/connection-limiter.ts";
import type { Flow } from "./socket-flow.ts";

/** One WebSocket, from its handshake to its log line. */
export interface Connection {
  readonly exchange: Exchange;
  readonly socket: Socket;
  readonly slot: ConnectionSlot;
  readonly baseUrl: string;
  readonly peer: Peer;
  readonly flow: Flow;
  /** Writes the log line and releases the slot. */
  end(): void;
  /** The credential of the caller; undefined for none. */
  authorization: string | undefined;
  /** The message being handled. */
  text: string;
  /** Operations that have not started yet and wait for the store. */
  beginning: number;
  readonly running: Set<Running>;
  /** Whether reading from the client is paused. */
  paused: boolean;
  /** Whether the server is stopping: running operations finish, and no new ones start. */
  ending: boolean;
  closing: boolean;
  /** When the client was last pinged, and whether it has not responded since. */
  askedAt: number;
  silent: boolean;
  /** Bytes of the socket known to be complete messages, and since when a large message is incomplete. */
  readBytes: number;
  partialSince: number | undefined;
  /** Handles a message; set by the protocol. */
  receive(text: string): Promise<void>;
  closed(code: number, reason: string): void | Promise<void>;
}

/** An operation of a connection. */
export interface Running {
  readonly id: string;
  readonly cancel: AbortController;
  /** Whether it is a subscription, which does not end by itself. */
  endless: boolean;
}

/** Log outcomes by close code of the protocol and of RFC 6455 §7.4. */
const outcomes: Readonly<Record<number, ErrorCode>> = {
  4401: "missing_key",
  4406: "not_acceptable",
  4408: "request_timeout",
  4500: "internal",
};

/**
 * Closes the connection with a code and a reason; nothing more is sent or started. The library cuts off a client that
 * does not respond.
 */
export function close(
  connection: Connection,
  code: number,
  reason: string,
  outcome?: Exchange["outcome"],
): void {
  if (connection.closing) return;
  release(connection);
  connection.exchange.outcome = outcome ?? outcomes[code] ?? (code >= 4000 ? "invalid_input" : "");
  connection.peer.close(code, toReason(reason));
}

/** Closes the connection at once. */
export function cut(connection: Connection, outcome: Exchange["outcome"]): void {
  if (!connection.closing) connection.exchange.outcome = outcome;
  release(connection);
  connection.peer.terminate();
}

/**
 * Maps a refused credential to a close code: the client may retry with another credential, or with the same one later
 * if it could not be checked.
 */
export function closeFor(connection: Connection, error: ToolError): void {
  const later = error.code === "overloaded" || error.code === "storage_unavailable";
  close(connection, later ? 1013 : 4403, `${error.code}: ${error.message}`, error.code);
}

/** While the server stops: closes as soon as no query or mutation is running. */
export function closeWhenDone(connection: Connection): void {
  for (const { endless } of connection.running) if (!endless) return;
  if (connection.beginning > 0 || !connection.flow.isEmpty()) return;
  close(connection, 1001, "The server is shutting down. Connect again.");
}

function release(connection: Connection): void {
  connection.closing = true;
  for (const { cancel } of connection.running) cancel.abort();
  connection.running.clear();
  connection.flow.end();
  // The client's close frame must still be read.
  if (connection.paused) brake(connection, false);
}

/**
 * Stops reading from a client that does not read, or that sends faster than it can be answered; TCP then makes it wait.
 */
export function brake(connection: Connection, paused: boolean): void {
  if (connection.paused === paused) return;
  connection.paused = paused;
  const socket = connection.peer.websocket as unknown as Record<"pause" | "resume", () => void>;
  if (paused) socket.pause();
  else socket.resume();
}

/** Cuts a reason to the 123 bytes of a close frame (RFC 6455 §5.5). */
function toReason(text: string): string {
  const bytes = Buffer.from(redact(text));
  // Removes the rest of a character that was cut in two.
  return bytes.length <= 123 ? bytes.toString() : `${bytes.toString("utf8", 0, 120).replace(/\uFFFD$/, "")}…`;
}
