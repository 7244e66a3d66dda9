import { lazy } from "../../../lib/lazy.ts";
import type { EventBody } from "../types.ts";
import type { Channel } from "../../storage/redis/channel.ts";
import type { DeliveryView } from "../../webhooks/views.ts";
import type { Bridge } from "./bridge.ts";

/** What is told of as it happens, by topic. */
export interface LiveTopics {
  /** What endpoints are sent as well, whether there is one or not. */
  event: EventBody;
  /** A delivery that was added, tried or has ended. */
  delivery: DeliveryView;
}

/**
 * What happens now, for those who look on: on every node of a store that nodes share. Nothing is kept. Who is not
 * there misses it; whoever must not miss anything has an endpoint.
 */
export interface Live {
  /** Whether somebody may listen, to this account or to any: where not, what would be told need not be made. */
  hears(topic: keyof LiveTopics, account?: string): boolean;
  /**
   * Never fails, and nobody waits for it; listeners of this process are called before it returns.
   * @param once What several nodes may notice has a name: of all that are told under it, a listener hears one.
   */
  tell<Topic extends keyof LiveTopics>(
    topic: Topic,
    account: string,
    value: LiveTopics[Topic],
    once?: string,
  ): void;
  /** Of this account, or of all where none is given. Returns how to end that, which is at once. */
  listen<Topic extends keyof LiveTopics>(
    topic: Topic,
    account: string | undefined,
    listener: (value: LiveTopics[Topic]) => void,
  ): () => void;
  /** Resolves when those who listen by now hear other nodes too, or that takes too long: without them they go on. */
  ready(): Promise<void>;
  /** When what was told has been passed on. From then on nothing is told. */
  close(): Promise<void>;
}

export interface LiveDeps {
  /** Of a store that nodes share: how they call one another. */
  channel?: ((name: string) => Promise<Channel>) | undefined;
  random(size: number): Uint8Array;
  /** Told of what a listener throws, and of bugs. */
  onFault(error: unknown): void;
}

/** As nodes pass it on. */
export type Told = readonly [topic: keyof LiveTopics, account: string, value: unknown, once?: string];

type Listener = (value: never) => void;

/** Names of what happened once; those of a window of an hour, and of far more accounts than have one. */
const namesMost = 10_000;

export function createLive({ channel, random, onFault }: LiveDeps): Live {
  const listeners = new Map<string, Set<Listener>>();
  const names = new Set<string>();
  let closed = false;

  const bridge =
    channel &&
    lazy(async () => {
      const { createBridge } = await import("./bridge.ts");
      const node = Buffer.from(random(8)).toString("hex");
      return createBridge({ channel: await channel("live"), node, hear });
    });

  /** Never rejects: without the others everything goes on. */
  async function withBridge(work: (opened: Bridge) => unknown): Promise<void> {
    if (bridge === undefined) return;
    try {
      await work(await bridge());
    } catch (error) {
      onFault(error);
    }
  }

  function isNew(once: string | undefined): boolean {
    if (once === undefined) return true;
    if (names.has(once)) return false;
    if (names.size >= namesMost) names.delete(names.values().next().value as string);
    names.add(once);
    return true;
  }

  function hear([topic, account, value, once]: Told): void {
    if (!isNew(once)) return;
    call(`${topic} ${account}`, value);
    call(`${topic} `, value);
  }

  function call(name: string, value: unknown): void {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(value as never);
      } catch (error) {
        onFault(error);
      }
    }
  }

  const listens = (topic: string, account: string): boolean =>
    listeners.has(`${topic} ${account}`) || listeners.has(`${topic} `);

  const tune = (): Promise<void> => withBridge((opened) => opened.tune(listeners.size > 0));

  return {
    hears: (topic, account) =>
      !closed &&
      (channel !== undefined || (listeners.size > 0 && (account === undefined || listens(topic, account)))),
    tell(topic, account, value, once) {
      if (closed || (once !== undefined && names.has(once))) return;
      const told: Told = once === undefined ? [topic, account, value] : [topic, account, value, once];
      hear(told);
      if (channel !== undefined) void withBridge((opened) => opened.send(told));
    },
    listen(topic, account, listener) {
      if (closed) return () => {};
      const name = `${topic} ${account ?? ""}`;
      // One of its own for each call, so that the same function may listen twice.
      const own: Listener = (value) => listener(value);
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(own));
      void tune();
      return () => {
        if (!known.delete(own) || known.size > 0) return;
        if (listeners.get(name) === known) listeners.delete(name);
        if (listeners.size === 0 && !closed) void tune();
      };
    },
    ready: () => withBridge((opened) => opened.ready()),
    async close() {
      closed = true;
      listeners.clear();
      if ((await bridge?.made()) !== undefined) await withBridge((opened) => opened.close());
    },
  };
}
