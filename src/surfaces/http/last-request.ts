import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

const finishedKey = Symbol("finished");

type FinishedSocket = Socket & { [finishedKey]?: true };

/**
 * Makes a request the last one of its connection: its answer says `Connection: close`, and what comes behind it is not
 * taken for a request. Node's parser has often read that before the answer is written (request smuggling).
 */
export function lastOn(socket: FinishedSocket, res: ServerResponse): void {
  socket[finishedKey] = true;
  res.shouldKeepAlive = false;
}

/** Whether the last request of this connection has arrived, so that nothing more is read from it. */
export function isFinished(socket: FinishedSocket): boolean {
  if (socket[finishedKey] !== true) return false;
  socket.pause();
  return true;
}
