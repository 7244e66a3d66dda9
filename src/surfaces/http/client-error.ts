import { maxHeaderSize, STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ToolError } from "../../catalog/errors.ts";
import type { Http } from "./http.ts";
import { problemType, toProblem } from "./problem.ts";

/** What Node refuses before there is a request: no path, no caller, and so no count. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, http: Http): void {
  // An answer that has begun cannot be replaced, and a client that is gone cannot be told.
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  if (error.code === "ECONNRESET" || answering?.headersSent === true) socket.destroy();
  else refuseOn(socket, toRefusal(error), http);
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
    for (const res of http.unanswered(socket)) res.emit("close");
  });
  answerInTurn();

  function answerInTurn(): void {
    const before: ServerResponse | undefined = http.unanswered(socket)[0];
    // Node puts the next answer in place only after this one has told of its end.
    if (before !== undefined) before.once("close", () => setImmediate(answerInTurn));
    else refuseOn(socket, noTunnels(), http);
  }
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
      `The URL and the headers together may have ${maxHeaderSize} bytes. Send a document in the body.`,
      { limit: maxHeaderSize },
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
