import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

const finishedKey = Symbol("finished");

type FinishedSocket = Socket & { [finishedKey]?: true };

/**
 * Makes a request the last of its connection: the answer says `Connection: close`, and the following bytes are not
 * parsed as requests. Node's parser has often read them before the answer is written (request smuggling).
 */
export function lastOn(socket: FinishedSocket, res: ServerResponse): void {
  socket[finishedKey] = true;
  res.shouldKeepAlive = false;
}

/** Reports whether the last request of the connection has arrived; if so, stops reading. */
export function isFinished(socket: FinishedSocket): boolean {
  if (socket[finishedKey] !== true) return false;
  socket.pause();
  return true;
}
