import type { Call } from "../../catalog/execute.ts";
import type { RemoteMessage } from "../../catalog/remote.ts";
import type { WorkerEnd } from "./limits.ts";

/** The connection to one worker, which is a thread of this process or a process of its own. */
export interface Link {
  /**
   * Sends a call and takes ownership of the bytes of its body.
   * @throws if the call cannot be sent, which is a bug of the surface; the worker has not received it.
   */
  send(call: Call): void;
  /** Asks the worker to free the memory left by its calls. */
  tidy(): void;
  /** Whether a call may be sent while another one runs: it then begins when that one is answered. */
  readonly takesAhead: boolean;
  /** Looks at the memory of the worker; called in each round (rounds.ts) while a call runs. */
  look(): void;
  /** Ends the worker at once; `onGone` follows. */
  kill(): void;
}

export interface LinkEvents {
  onMessage(message: RemoteMessage): void;
  /** Called when the worker uses more memory than it may. */
  onAbove(): void;
  /** Called when the worker ends by itself, or is about to. */
  onFailed(reason: WorkerEnd, error: Error): void;
  /** Called when the worker has ended and its memory is free. */
  onGone(): void;
}

/** Starts a worker. @throws if the machine has no resources for one. */
export type OpenLink = (events: LinkEvents) => Link;
