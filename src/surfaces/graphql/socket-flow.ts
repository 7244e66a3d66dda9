import type { Socket } from "node:net";
import type { Peer } from "crossws";

/** What is on its way to one client: a socket that is given more than its client takes keeps all of it in memory. */
export interface Flow {
  /** Resolves when the socket has it, which is when the client has taken most of what was before it; or it has ended. */
  send(text: string): void | Promise<void>;
  /** To be called when the socket has written all that it had. */
  drained(): void;
  /** Whether the socket has all that was sent. */
  isEmpty(): boolean;
  /** Whether so much waits that nothing more should be read of this client. */
  isFull(): boolean;
  /** Whether the client takes what waits for it. */
  look(time: number): "idle" | "moving" | "stuck";
  end(): void;
}

interface Waiting {
  bytes: Buffer;
  /** How much of it is sent. */
  at: number;
  sent(): void;
}

/** Bytes that the socket holds before the next message waits. */
const held = 65_536;
/**
 * Bytes of one frame. A larger message is sent in fragments (RFC 6455 §5.4): of a frame that the kernel is taking
 * nobody can see how much it has, and a ping could not be sent before its end.
 */
const slice = 65_536;
/** Who leaves more than this lying has to take as many bytes in `slowMs`; who leaves less, anything. */
const most = { bytes: 1_048_576, messages: 1000 };
/** Messages that wait before no more is read. */
const full = 64;

/** @param slowMs After which a client that takes too little is stuck. */
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
    isFull: () => queue.length > full || lying() > most.bytes,
    look(time) {
      const left = lying();
      if (left === 0) {
        since = undefined;
        return "idle";
      }
      const taken = socket.bytesWritten - peer.bufferedAmount;
      const due = left > most.bytes || queue.length > most.messages ? most.bytes : 1;
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
