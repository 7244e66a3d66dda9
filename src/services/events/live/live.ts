import { lazy } from "../../../lib/lazy.ts";
import type { EventBody } from "../types.ts";
import type { Channel } from "../../../storage/redis/channel.ts";
import type { DeliveryView } from "../../webhooks/delivery-view.ts";
import type { Bridge } from "./bridge.ts";
import type { Runtime } from "../../../runtime.ts";

/** The values that are published, by topic. */
export interface LiveTopics {
  /** The events that endpoints receive, whether or not there is an endpoint. */
  event: EventBody;
  /** A delivery that was added, attempted or ended. */
  delivery: DeliveryView;
}

/**
 * Publishes events to subscribers on every node of a shared store. Nothing is stored: a disconnected subscriber misses
 * events; an account that must not miss any needs an endpoint.
 */
export interface Live {
  /** Reports whether there may be subscribers, to one account or to any. Without them no value need be created. */
  hasSubscribers(topic: keyof LiveTopics, account?: string): boolean;
  /**
   * Publishes a value; never fails and needs no waiting. Subscribers in this process are called before it returns.
   * @param once A name for what several nodes may notice: a listener receives one value for it.
   */
  publish<Topic extends keyof LiveTopics>(
    topic: Topic,
    account: string,
    value: LiveTopics[Topic],
    once?: string,
  ): void;
  /** Subscribes to one account, or to all if none is given. Returns a function that ends the subscription at once. */
  listen<Topic extends keyof LiveTopics>(
    topic: Topic,
    account: string | undefined,
    listener: (value: LiveTopics[Topic]) => void,
  ): () => void;
  /** Resolves when current subscribers receive events of other nodes too, or after a timeout. */
  ready(): Promise<void>;
  /** Resolves when everything published has been passed on. Later values are dropped. */
  close(): Promise<void>;
}

export interface LiveDeps {
  /** The channel between nodes of a shared store. */
  channel?: ((name: string) => Promise<Channel>) | undefined;
  runtime: Runtime;
}

/** A value in the form in which nodes exchange it. */
export type LiveMessage = readonly [topic: keyof LiveTopics, account: string, value: unknown, once?: string];

type Listener = (value: never) => void;

/** Names to remember for `once`: enough for the window of an hour and far more accounts than have one. */
const maxNames = 10_000;

export function createLive({ channel, runtime }: LiveDeps): Live {
  const listeners = new Map<string, Set<Listener>>();
  const names = new Set<string>();
  let closed = false;

  const bridge =
    channel &&
    lazy(async () => {
      const { createBridge } = await import("./bridge.ts");
      const node = Buffer.from(runtime.random(8)).toString("hex");
      return createBridge({ channel: await channel("live"), node, dispatch });
    });

  /** Never rejects: live events work on this node without the others. */
  async function withBridge(work: (opened: Bridge) => unknown): Promise<void> {
    if (bridge === undefined) return;
    try {
      await work(await bridge());
    } catch (error) {
      runtime.report(error);
    }
  }

  function isNew(once: string | undefined): boolean {
    if (once === undefined) return true;
    if (names.has(once)) return false;
    if (names.size >= maxNames) names.delete(names.values().next().value as string);
    names.add(once);
    return true;
  }

  function dispatch([topic, account, value, once]: LiveMessage): void {
    if (!isNew(once)) return;
    call(`${topic} ${account}`, value);
    call(`${topic} `, value);
  }

  function call(name: string, value: unknown): void {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(value as never);
      } catch (error) {
        runtime.report(error);
      }
    }
  }

  const hasListeners = (topic: string, account: string): boolean =>
    listeners.has(`${topic} ${account}`) || listeners.has(`${topic} `);

  /** Receives what somebody listens for here. */
  const updateBridge = (): Promise<void> =>
    withBridge((opened) => {
      opened.receive(new Set([...listeners.keys()].map((name) => name.slice(name.indexOf(" ") + 1))));
    });

  return {
    hasSubscribers: (topic, account) =>
      !closed &&
      (channel !== undefined ||
        (listeners.size > 0 && (account === undefined || hasListeners(topic, account)))),
    publish(topic, account, value, once) {
      if (closed || (once !== undefined && names.has(once))) return;
      const message: LiveMessage =
        once === undefined ? [topic, account, value] : [topic, account, value, once];
      dispatch(message);
      if (channel !== undefined) void withBridge((opened) => opened.send(message));
    },
    listen(topic, account, listener) {
      if (closed) return () => {};
      const name = `${topic} ${account ?? ""}`;
      // A new function for each call, so that the same listener can subscribe twice.
      const own: Listener = (value) => listener(value);
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known.add(own));
      void updateBridge();
      return () => {
        if (!known.delete(own) || known.size > 0) return;
        if (listeners.get(name) === known) listeners.delete(name);
        if (!closed) void updateBridge();
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
