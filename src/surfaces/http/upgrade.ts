import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ToolError } from "../../catalog/errors.ts";
import { trimOws } from "../../lib/header-list.ts";
import type { Exchange, Upgrade } from "./exchange.ts";
import { countHeader, faultOfHead } from "./head.ts";
import type { Gate } from "./gate.ts";
import { keyInQuery } from "./key-in-query.ts";
import { crossSite } from "./sites.ts";
import type { Uncounted } from "./uncounted.ts";

/** A connection that Node handed over, and its request. */
export interface Handover {
  req: IncomingMessage;
  socket: Socket;
  /** Bytes after the request. */
  head: Buffer;
  take: Upgrade;
}

export interface UpgradeShell {
  open(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): Exchange;
  fail(exchange: Exchange, error: unknown): void;
  gate: Gate;
  uncounted: Uncounted;
}

/**
 * Processes the opening handshake of a WebSocket (RFC 6455 §4.2) as an ordinary request: with an exchange, so that
 * refusals are problem documents with a log line, and with the client address from proxies. The handler detaches the
 * exchange. CORS does not apply to WebSockets: a browser opens one to any server that a page names (RFC 6455 §10.2), so
 * the gate decides.
 */
export async function openUpgrade(shell: UpgradeShell, { req, socket, head, take }: Handover): Promise<void> {
  // The client left while this was being loaded.
  if (socket.destroyed) return;
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  // Node's server does both for responses that it creates itself.
  res.once("finish", () => {
    res.detachSocket(socket);
    socket.destroySoon();
    res.emit("close");
  });
  const exchange = shell.open(req, res, false);
  try {
    shell.uncounted.take(exchange);
    const fault = faultOfHead(req) ?? keyInQuery(exchange.query) ?? faultOfHandshake(req);
    if (fault !== undefined) throw fault;
    await shell.gate.check(exchange);
    if (exchange.visit) throw crossSite();
    await take(exchange, head);
  } catch (error) {
    shell.fail(exchange, error);
  }
}

/** From now on the WebSocket owns the connection. */
export function releaseSocket({ res, req }: Exchange): Socket {
  res.removeAllListeners("finish");
  res.detachSocket(req.socket);
  return req.socket;
}

/** Returns the fault of a handshake, or undefined. */
function faultOfHandshake({ httpVersion, headers, rawHeaders }: IncomingMessage): ToolError | undefined {
  if (httpVersion !== "1.1") return malformed("A WebSocket requires HTTP/1.1 (RFC 6455 §4.1).");
  if (headers["sec-websocket-version"] !== "13")
    return malformed("Send Sec-WebSocket-Version: 13, the version of RFC 6455.");
  if (
    countHeader(rawHeaders, "sec-websocket-key") !== 1 ||
    !/^[\d+/A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "")
  )
    return malformed("Sec-WebSocket-Key must be 16 bytes in base64 (RFC 6455 §4.1).");
  if (!areProtocols(headers["sec-websocket-protocol"]))
    return malformed("Sec-WebSocket-Protocol must be a list of different names (RFC 6455 §4.1).");
  return undefined;
}

function areProtocols(header: string | undefined): boolean {
  if (header === undefined) return true;
  const names = header.split(",").map(trimOws);
  return new Set(names).size === names.length && names.every((name) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name));
}

const malformed = (message: string): ToolError => new ToolError("invalid_input", message);
