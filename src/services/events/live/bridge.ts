import type { Channel } from "../../storage/redis/channel.ts";
import type { Told } from "./live.ts";

/** To the other nodes of a store, and from them. */
export interface Bridge {
  /** Passed on as soon as may be, in this order; lost where that cannot be. */
  send(told: Told): void;
  /** Whether somebody here wants to hear the others. */
  tune(on: boolean): void;
  /** See Live. */
  ready(): Promise<void>;
  /** When what was sent has been passed on. */
  close(): Promise<void>;
}

export interface BridgeDeps {
  channel: Channel;
  /** Whose calls are our own. */
  node: string;
  hear(told: Told): void;
}

/** What is called out at once: while one call is on its way, the next ones gather. */
const atOnce = 500;
/** What may wait: a Redis that takes less than it is told loses live events, and no memory of ours. */
const waitingMost = 10_000;
/** For the connection that listens. */
const readyMs = 2000;

export function createBridge({ channel, node, hear }: BridgeDeps): Bridge {
  let waiting: Told[] = [];
  let calling: Promise<void> | undefined;
  let endListening: (() => void) | undefined;

  async function callAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, atOnce);
      waiting = waiting.slice(atOnce);
      // The store tells of it, and those who hear nothing now are told nothing later.
      await channel.call(JSON.stringify({ from: node, told: some })).catch(() => {});
    }
    calling = undefined;
  }

  function hearAll(message: string): void {
    for (const told of parse(message)) hear(told);
  }

  /** Empty for our own, which were heard when they were told, and for what another release says in another way. */
  function parse(message: string): Told[] {
    try {
      const { from, told } = JSON.parse(message) as { from?: unknown; told?: unknown };
      return from === node || !Array.isArray(told) ? [] : told.filter(isTold);
    } catch {
      return [];
    }
  }

  return {
    send(told) {
      if (waiting.length < waitingMost) waiting.push(told);
      calling ??= callAll();
    },
    tune(on) {
      if (on) return void (endListening ??= channel.listen(hearAll));
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
      await calling;
      await channel.close();
    },
  };
}

const isTold = (value: unknown): value is Told =>
  Array.isArray(value) &&
  (value[0] === "event" || value[0] === "delivery") &&
  typeof value[1] === "string" &&
  typeof value[2] === "object" &&
  value[2] !== null;
