import type { Socket } from "node:net";
import type { Peer } from "crossws";
import type { ErrorCode, ToolError } from "../../catalog/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { redact } from "../http/problem.ts";
import type { ConnectionSlot } from "../http/connection-limiter.ts";
import type { Flow } from "./socket-flow.ts";

/** One WebSocket, from its handshake to the line in the log. */
export interface Connection {
  readonly exchange: Exchange;
  readonly socket: Socket;
  readonly slot: ConnectionSlot;
  readonly baseUrl: string;
  readonly peer: Peer;
  readonly flow: Flow;
  /** Writes the line and gives the slot back. */
  end(): void;
  /** What the caller was identified by, undefined for nothing. */
  authorization: string | undefined;
  /** The message that is being handled. */
  text: string;
  /** Operations that have not begun yet: they wait for the store. */
  beginning: number;
  readonly running: Set<Running>;
  /** No more is read of this client. */
  paused: boolean;
  /** The server ends: what runs is finished, nothing is begun. */
  ending: boolean;
  closing: boolean;
  /** When the client was last asked for a sign of life, and whether it has given none since. */
  askedAt: number;
  silent: boolean;
  /** Bytes of the socket that are known to be whole messages, and since when there is the beginning of a large one. */
  readBytes: number;
  partialSince: number | undefined;
  /** Of the protocol. */
  receive(text: string): Promise<void>;
  closed(code: number, reason: string): void | Promise<void>;
}

/** An operation of a connection. */
export interface Running {
  readonly id: string;
  readonly cancel: AbortController;
  /** It has no end of its own: a subscription, and not a query or a mutation. */
  endless: boolean;
}

/** What the codes of the protocol and of RFC 6455 §7.4 are in the log. */
const outcomes: Readonly<Record<number, ErrorCode>> = {
  4401: "missing_key",
  4406: "not_acceptable",
  4408: "request_timeout",
  4500: "internal",
};

/** Ends it with what says why; nothing is sent or begun from now on. A client that has no answer to it is cut off by the library. */
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

/** Ends it without a word. */
export function cut(connection: Connection, outcome: Exchange["outcome"]): void {
  if (!connection.closing) connection.exchange.outcome = outcome;
  release(connection);
  connection.peer.terminate();
}

/** Whom a credential does not let in may come with another one; where nobody can tell, with the same one later. */
export function closeFor(connection: Connection, error: ToolError): void {
  const later = error.code === "overloaded" || error.code === "storage_unavailable";
  close(connection, later ? 1013 : 4403, `${error.code}: ${error.message}`, error.code);
}

/** While the server ends: as soon as nothing runs that would have to be done again. */
export function closeWhenDone(connection: Connection): void {
  for (const { endless } of connection.running) if (!endless) return;
  if (connection.beginning > 0 || !connection.flow.isEmpty()) return;
  close(connection, 1001, "The server is going down. Connect again.");
}

function release(connection: Connection): void {
  connection.closing = true;
  for (const { cancel } of connection.running) cancel.abort();
  connection.running.clear();
  connection.flow.end();
  // The client's answer is to be read.
  if (connection.paused) brake(connection, false);
}

/** Who does not read, or asks faster than it can be answered, is not read either: TCP makes it wait. */
export function brake(connection: Connection, paused: boolean): void {
  if (connection.paused === paused) return;
  connection.paused = paused;
  const socket = connection.peer.websocket as unknown as Record<"pause" | "resume", () => void>;
  if (paused) socket.pause();
  else socket.resume();
}

/** A close frame has 123 bytes for it (RFC 6455 §5.5). */
function toReason(text: string): string {
  const bytes = Buffer.from(redact(text));
  // What is left of a character that was cut in two is no UTF-8.
  return bytes.length <= 123 ? bytes.toString() : `${bytes.toString("utf8", 0, 120).replace(/\uFFFD$/, "")}…`;
}
