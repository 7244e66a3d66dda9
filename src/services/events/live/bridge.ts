import type { Channel } from "../../../storage/redis/channel.ts";
import type { LiveMessage } from "./live.ts";

/** Exchanges live events with the other nodes of a shared store. */
export interface Bridge {
  /** Sends an event as soon as possible, in order; it is lost if that fails. */
  send(message: LiveMessage): void;
  /** Receives the events of these accounts from other nodes, and of no others; an empty name stands for all. */
  receive(accounts: ReadonlySet<string>): void;
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

/** The topic of the events of all accounts; not the name of an account. */
const everybody = "*";
/** Most accounts of other nodes whose last event is remembered. */
const maxLast = 10_000;

/** A message between nodes. Events have numbers, because one that is listened for by two topics at once arrives twice. */
interface Letter {
  from: string;
  told: readonly LiveMessage[];
  numbers: readonly number[];
}

export function createBridge({ channel, node, dispatch }: BridgeDeps): Bridge {
  let waiting: { message: LiveMessage; number: number }[] = [];
  let sending: Promise<void> | undefined;
  let sent = 0;
  const ends = new Map<string, () => void>();
  const last = new Map<string, number>();

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, atOnce);
      waiting = waiting.slice(atOnce);
      const own = [...Map.groupBy(some, ({ message: [, account] }) => account)];
      // The store reports the error. Lost events are not repeated.
      await Promise.all(
        [...own, [everybody, some] as const].map(([topic, letters]) =>
          channel.call(topic, toLetter(letters)).catch(() => {}),
        ),
      );
    }
    sending = undefined;
  }

  function toLetter(letters: readonly { message: LiveMessage; number: number }[]): string {
    const told = letters.map(({ message }) => message);
    return JSON.stringify({
      from: node,
      told,
      numbers: letters.map(({ number }) => number),
    } satisfies Letter);
  }

  function dispatchAll(text: string): void {
    const { from = "", told = [], numbers = [] } = parse(text);
    for (const [index, message] of told.entries())
      if (isMessage(message) && isNew(`${from} ${message[1]}`, numbers[index] ?? 0)) dispatch(message);
  }

  /** The events of an account arrive in order, by whichever topic. */
  function isNew(name: string, number: number): boolean {
    if (number <= (last.get(name) ?? 0)) return false;
    last.delete(name);
    if (last.size >= maxLast) last.delete(last.keys().next().value as string);
    last.set(name, number);
    return true;
  }

  /** Returns nothing for our own messages, which were delivered already, and for formats of other releases. */
  function parse(text: string): Partial<Letter> {
    try {
      const letter = JSON.parse(text) as Partial<Letter>;
      return letter.from === node || !Array.isArray(letter.told) || !Array.isArray(letter.numbers)
        ? {}
        : letter;
    } catch {
      return {};
    }
  }

  return {
    send(message) {
      if (waiting.length < maxWaiting) waiting.push({ message, number: (sent += 1) });
      sending ??= sendAll();
    },
    receive(accounts) {
      const topics = accounts.has("") ? new Set([everybody]) : accounts;
      for (const topic of topics) if (!ends.has(topic)) ends.set(topic, channel.listen(topic, dispatchAll));
      for (const [topic, end] of ends) {
        if (topics.has(topic)) continue;
        ends.delete(topic);
        end();
      }
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
