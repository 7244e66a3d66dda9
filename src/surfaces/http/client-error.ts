import { maxHeaderSize, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ToolError } from "../../catalog/errors.ts";
import type { Http } from "./http.ts";
import { problemType, toProblem } from "./problem.ts";

/** Lines of a head, or of the trailers of a body. */
export const maxHeaders = 100;

const refusedKey = Symbol("refused");

type RefusedSocket = Socket & { [refusedKey]?: true };

/** What Node refuses before there is a request: no path, no caller, and so no count. */
export function answerClientError(error: NodeJS.ErrnoException, socket: RefusedSocket, http: Http): void {
  // A client that is gone cannot be told.
  if (error.code === "ECONNRESET") socket.destroy();
  // The parser says the same of every packet that comes after.
  if (error.code === "ECONNRESET" || socket[refusedKey] === true) return;
  socket[refusedKey] = true;
  refuseInTurn(socket, toRefusal(error), http);
}

/**
 * CONNECT asks for a tunnel (RFC 9110 §9.3.6), and its target is no path: Node hands over the bare socket, which
 * it neither watches nor answers on any more.
 */
export function answerConnect(socket: Socket, http: Http): void {
  // Without a listener, a reset by the client would end the process.
  socket.on("error", () => socket.destroy());
  // Node no longer tells the calls that came before on this connection that their client is gone.
  socket.once("close", () => {
    for (const res of http.owed(socket)) res.emit("close");
  });
  refuseInTurn(socket, noTunnels(), http);
}

/** The calls that came whole before it are answered first: a client takes the first answer for that of its first call (RFC 9112 §9.3.2). */
function refuseInTurn(socket: Socket, refusal: ToolError, http: Http): void {
  const before = http.owed(socket)[0];
  // Node puts the next answer in place only after this one has told of its end.
  if (before?.req.complete === true)
    before.once("close", () => setImmediate(refuseInTurn, socket, refusal, http));
  // The fault is in the body of a call: an answer that has begun cannot be replaced.
  else if (before?.headersSent === true) socket.destroy();
  else refuseOn(socket, refusal, http);
}

const noTunnels = (): ToolError =>
  new ToolError("method_not_allowed", "This is not a proxy: CONNECT opens no tunnel here.", {
    allow: ["GET", "HEAD", "POST", "OPTIONS"],
  });

function toRefusal({ code }: NodeJS.ErrnoException): ToolError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ToolError(
      "request_timeout",
      "The headers or the body came too slowly. Send the request again.",
    );
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ToolError(
      "invalid_input",
      // Node does not say which of the two it was.
      `The URL and the headers together may have ${maxHeaderSize} bytes, and there may be ${maxHeaders} headers. Send a document in the body.`,
    );
  }
  return new ToolError("invalid_input", "This is not a request in HTTP/1.1.");
}

/** Writes an answer where there is no response to write it with, and closes the connection. */
function refuseOn(socket: Socket, error: ToolError, http: Http): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = http.nextId();
  const { status, body, headers } = toProblem(error, { requestId }, http.basePath);
  http.refused(status, error.code, requestId);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `Content-Type: ${problemType}`];
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push(`X-Request-Id: ${requestId}`, "X-Content-Type-Options: nosniff", "Connection: close");
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // The rest of what is being sent is read for a while: closing at once would reset the connection under the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), http.timeouts.linger).unref();
}
