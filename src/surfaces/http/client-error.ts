import { maxHeaderSize, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ToolError } from "../../catalog/errors.ts";
import { prefersPage } from "./accept.ts";
import type { Http } from "./http.ts";
import { readOverlongHead } from "./overlong-head.ts";
import { problemType, toProblem } from "./problem.ts";

/** Most header lines of a head, and of the trailers of a body. */
export const maxHeaders = 100;

const refusedKey = Symbol("refused");

/** A socket with the function that takes the packets after the error. */
type RefusedSocket = Socket & { [refusedKey]?: (packet: Buffer) => void };

/** An error of Node's parser; it has the packet in which it was found. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/**
 * Answers an error that Node's parser reports before there is a request. It has no path and no caller, so it is not
 * counted.
 */
export function answerClientError(error: ParserError, socket: RefusedSocket, http: Http): void {
  // The client is gone.
  if (error.code === "ECONNRESET") return void socket.destroy();
  const packet = error.rawPacket ?? Buffer.alloc(0);
  // The parser repeats the error for every later packet.
  if (socket[refusedKey] !== undefined) return socket[refusedKey](packet);
  if (error.code === "HPE_HEADER_OVERFLOW") {
    socket[refusedKey] = readOverlongHead(({ isUrl, accept }) => {
      if (isUrl) refuseInTurn(socket, uriTooLong(), http, accept);
      else refuseInTurn(socket, toRefusal(error), http);
    });
    return socket[refusedKey](packet);
  }
  socket[refusedKey] = () => {};
  refuseInTurn(socket, toRefusal(error), http);
}

/**
 * Refuses CONNECT, which asks for a tunnel (RFC 9110 §9.3.6). Node hands over the bare socket and no longer watches it
 * or answers on it.
 */
export function answerConnect(socket: Socket, http: Http): void {
  // Without a listener, a reset by the client would end the process.
  socket.on("error", () => socket.destroy());
  // Node no longer reports the disconnect to earlier requests of this connection.
  socket.once("close", () => {
    for (const res of http.intake.owed(socket)) res.emit("close");
  });
  refuseInTurn(socket, noTunnels(), http);
}

/** Answers after all complete earlier requests: clients match answers to requests by their order (RFC 9112 §9.3.2). */
function refuseInTurn(socket: Socket, refusal: ToolError, http: Http, accept?: string): void {
  const before = http.intake.owed(socket)[0];
  // Node assigns the socket to the next response only after this one has emitted `finish`.
  if (before?.req.complete === true)
    before.once("close", () => setImmediate(refuseInTurn, socket, refusal, http, accept));
  // The error is in the body of a request whose answer has begun and cannot be replaced.
  else if (before?.headersSent === true) socket.destroy();
  else void refuseOn(socket, refusal, http, accept);
}

const uriTooLong = (): ToolError =>
  new ToolError(
    "uri_too_long",
    `The address of this request is too long: it and the headers may have at most ${maxHeaderSize} bytes together. Send a document in the body; a link to a tool has one in its fragment.`,
  );

const noTunnels = (): ToolError =>
  new ToolError("method_not_allowed", "CONNECT is not supported: this server is not a proxy.", {
    allow: ["GET", "HEAD", "POST", "OPTIONS"],
  });

function toRefusal({ code }: NodeJS.ErrnoException): ToolError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ToolError(
      "request_timeout",
      "The headers or the body arrived too slowly. Send the request again.",
    );
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ToolError(
      "invalid_input",
      // Node does not report which of the two limits was exceeded.
      `The URL and the headers may have at most ${maxHeaderSize} bytes together, in at most ${maxHeaders} headers. Send a document in the body.`,
    );
  }
  return new ToolError("invalid_input", "This is not an HTTP/1.1 request.");
}

/** Writes an answer without a response object and closes the connection. Browsers get a page if their Accept is known. */
async function refuseOn(socket: Socket, error: ToolError, http: Http, accept?: string): Promise<void> {
  const requestId = http.nextId();
  const problem = toProblem(error, { requestId }, http.basePath);
  const page = prefersPage(accept)
    ? await http.intake.pageOf(error, requestId).catch(() => undefined)
    : undefined;
  const { type, body, headers } = page ?? { ...problem, type: problemType };
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = problem;
  http.intake.refused(status, error.code, requestId);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `Content-Type: ${type}`];
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push(`X-Request-Id: ${requestId}`, "X-Content-Type-Options: nosniff", "Connection: close");
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // Reads and discards input for a while: closing at once would reset the connection and could lose the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), http.timeouts.linger).unref();
}
