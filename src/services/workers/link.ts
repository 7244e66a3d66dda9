import type { Call } from "../../catalog/execute.ts";
import type { RemoteMessage } from "../../catalog/remote.ts";
import type { WorkerEnd } from "./limits.ts";

/** The connection to one worker, which is a thread of this process or a process of its own. */
export interface Link {
  /**
   * Bytes of the body are taken over.
   * @throws where the call cannot be sent, which is a bug of the surface; the worker has not seen it then.
   */
  send(call: Call): void;
  /** Asks the worker to give back the memory that calls have left behind. */
  tidy(): void;
  /** Calls back when the worker uses more memory than it may. */
  watchMemory(onAbove: () => void): MemoryWatch;
  /** Ends the worker at once; `onGone` follows. */
  kill(): void;
}

export interface MemoryWatch {
  stop(): void;
}

export interface LinkEvents {
  onMessage(message: RemoteMessage): void;
  /** The worker has ended by itself, or is about to. */
  onFailed(reason: WorkerEnd, error: Error): void;
  /** The worker has ended and its memory is free. */
  onGone(): void;
}

/** Starts a worker. @throws where the machine has none to give. */
export type OpenLink = (events: LinkEvents) => Link;
