import type { Channel } from "../../../storage/redis/channel.ts";
import type { LiveMessage } from "./live.ts";

/** Exchanges live events with the other nodes of a shared store. */
export interface Bridge {
  /** Sends an event as soon as possible, in order; it is lost if that fails. */
  send(message: LiveMessage): void;
  /** Starts or stops receiving events from other nodes. */
  receive(on: boolean): void;
  /** See Live. */
  ready(): Promise<void>;
  /** Resolves when everything sent has been passed on. */
  close(): Promise<void>;
}

export interface BridgeDeps {
  channel: Channel;
  /** The id of this node, to recognize its own messages. */
  node: string;
  dispatch(message: LiveMessage): void;
}

/** Most events in one message; while a message is in flight, further events gather. */
const atOnce = 500;
/** Most events waiting: a slow Redis loses live events rather than filling memory. */
const maxWaiting = 10_000;
/** Longest wait for the receiving connection, in milliseconds. */
const readyMs = 2000;

export function createBridge({ channel, node, dispatch }: BridgeDeps): Bridge {
  let waiting: LiveMessage[] = [];
  let sending: Promise<void> | undefined;
  let endListening: (() => void) | undefined;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, atOnce);
      waiting = waiting.slice(atOnce);
      // The store reports the error. Lost events are not repeated.
      await channel.call(JSON.stringify({ from: node, told: some })).catch(() => {});
    }
    sending = undefined;
  }

  function dispatchAll(message: string): void {
    for (const one of parse(message)) dispatch(one);
  }

  /**
   * Returns the events of a message; none for our own messages, which were delivered already, and for formats of other
   * releases.
   */
  function parse(message: string): LiveMessage[] {
    try {
      const { from, told } = JSON.parse(message) as { from?: unknown; told?: unknown };
      return from === node || !Array.isArray(told) ? [] : told.filter(isMessage);
    } catch {
      return [];
    }
  }

  return {
    send(message) {
      if (waiting.length < maxWaiting) waiting.push(message);
      sending ??= sendAll();
    },
    receive(on) {
      if (on) return void (endListening ??= channel.listen(dispatchAll));
      endListening?.();
      endListening = undefined;
    },
    async ready() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, readyMs);
      await Promise.race([channel.ready(), late.promise]);
      clearTimeout(timer);
    },
    async close() {
      await sending;
      await channel.close();
    },
  };
}

const isMessage = (value: unknown): value is LiveMessage =>
  Array.isArray(value) &&
  (value[0] === "event" || value[0] === "delivery") &&
  typeof value[1] === "string" &&
  typeof value[2] === "object" &&
  value[2] !== null;
