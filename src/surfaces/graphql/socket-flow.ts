import type { Socket } from "node:net";
import type { Peer } from "crossws";

/** Outgoing messages of one client. A socket that is given more than its client reads keeps all of it in memory. */
export interface Flow {
  /**
   * Resolves when the socket has accepted the message, after the client has read most of the earlier data; or when it
   * has ended.
   */
  send(text: string): void | Promise<void>;
  /** Call it when the socket has written all its data. */
  drained(): void;
  /** Reports whether the socket has accepted everything that was sent. */
  isEmpty(): boolean;
  /** Reports whether so much is queued that nothing more should be read from this client. */
  isFull(): boolean;
  /** Reports whether the client reads its queued data fast enough. */
  look(time: number): "idle" | "moving" | "stuck";
  end(): void;
}

interface Waiting {
  bytes: Buffer;
  /** Bytes of it that were sent. */
  at: number;
  sent(): void;
}

/** Bytes buffered by the socket before the next message is queued. */
const held = 65_536;
/**
 * Bytes of one frame. A larger message is sent in fragments (RFC 6455 §5.4): the progress of a frame inside the kernel
 * is invisible, and no ping could be sent before its end.
 */
const slice = 65_536;
/** Backlog above which a client must drain this many bytes per `slowMs`; below it, any progress is enough. */
const max = { bytes: 1_048_576, messages: 1000 };
/** Queued messages above which reading stops. */
const full = 64;

/** @param slowMs Milliseconds after which a client that reads too little is cut off. */
export function createFlow(peer: Peer, socket: Socket, slowMs: number): Flow {
  const queue: Waiting[] = [];
  let queuedBytes = 0;
  let over = false;
  let since: number | undefined;
  let takenThen = 0;

  const lying = (): number => peer.bufferedAmount + queuedBytes;

  function flush(): void {
    for (let first = queue[0]; first !== undefined && peer.bufferedAmount <= held; first = queue[0]) {
      const part = first.bytes.subarray(first.at, first.at + slice);
      first.at += part.length;
      queuedBytes -= part.length;
      const fin = first.at === first.bytes.length;
      peer.send(part, { compress: false, binary: false, fin } as { compress: boolean });
      if (!fin) continue;
      queue.shift();
      first.sent();
    }
  }

  return {
    send(text) {
      if (over) return undefined;
      if (queue.length === 0 && text.length <= slice && peer.bufferedAmount <= held) {
        peer.send(text, { compress: false });
        return undefined;
      }
      const bytes = Buffer.from(text);
      queuedBytes += bytes.length;
      return new Promise((sent) => {
        queue.push({ bytes, at: 0, sent });
        flush();
      });
    },
    drained: flush,
    isEmpty: () => queue.length === 0,
    isFull: () => queue.length > full || lying() > max.bytes,
    look(time) {
      const left = lying();
      if (left === 0) {
        since = undefined;
        return "idle";
      }
      const taken = socket.bytesWritten - peer.bufferedAmount;
      const due = left > max.bytes || queue.length > max.messages ? max.bytes : 1;
      if (since === undefined || taken - takenThen >= due) {
        since = time;
        takenThen = taken;
      }
      return time - since >= slowMs ? "stuck" : "moving";
    },
    end() {
      over = true;
      queuedBytes = 0;
      for (const { sent } of queue.splice(0)) sent();
    },
  };
}
