import type { Room } from "./ledger.ts";

/** A request that an inbox has received. Times are epoch milliseconds. */
export interface Message {
  /** `msg_` and a UUID of version 7, unique. */
  id: string;
  at: number;
  method: "POST" | "PUT";
  /** The query with its question mark; empty if there is none. */
  query: string;
  /** The headers as received, in order. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** The sender's id of the event; undefined if the sender gives none. */
  event?: string;
  /** The event type, if the sender gives one. */
  type?: string;
  /** `unchecked` if the inbox verifies no signatures; `invalid` only if it records invalid messages. */
  signature: "valid" | "invalid" | "unchecked";
}

/** The retention of an inbox. */
export interface Kept {
  /** Most messages, the newest ones. */
  messages: number;
  /** Longest age: messages with `at` before now − `ms` expire. */
  ms: number;
  /** Most bytes of all messages, as measured by `sizeOf`. The newest message is kept in any case. */
  bytes: number;
}

export interface ReadOptions {
  /** The id of a message. */
  after?: string;
  /** Only messages of this type; the bodies of others are not read. */
  type?: string;
  limit: number;
  kept: Kept;
}

export interface InboxStats {
  messages: number;
  /** Duplicates received since the inbox was made. */
  duplicates: number;
  /** When the newest message was received; undefined if there is none. */
  newestAt?: number;
  /** The id of the newest message. */
  newestId?: string;
}

/**
 * The messages that inboxes have received. An inbox exists from its first message on; its id is `in_` and 32 hex
 * digits. Every method throws StoreError if the store cannot be used.
 */
export interface InboxStore {
  /**
   * Adds a message; resolves when it is on the disk. Returns true if a message with this `event` is kept already: the
   * duplicate is only counted. Of concurrent duplicates, on any node, one is kept. The oldest messages of the same
   * inbox make room. @throws ToolError if `room` is used up.
   */
  add(inbox: string, message: Message, kept: Kept, room?: Room): Promise<boolean>;
  /**
   * Returns messages in the order in which they were added, regardless of their ids and times, starting after the
   * message `after`; from the first if `after` is missing or no longer kept, since it was then older than all kept
   * messages.
   */
  read(inbox: string, options: ReadOptions): Promise<Message[]>;
  /** Returns undefined if there is no such message, or it has expired. */
  get(inbox: string, id: string, kept: Kept): Promise<Message | undefined>;
  stats(inbox: string, kept: Kept): Promise<InboxStats>;
  /** Removes an inbox with its messages and counts. */
  remove(inbox: string): Promise<void>;
  /** Calls `listener` some time after a message was added on any node. Returns a function that ends this. */
  onMessage(inbox: string, listener: () => void): () => void;
  /**
   * Removes expired messages that do not expire by themselves, and inboxes that are not known. An inbox written within the hour is left
   * alone: it may be newer than the answer of `isKnown`.
   */
  sweep?(isKnown: (inbox: string) => Promise<boolean>, kept: Kept): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds without a write after which `sweep` removes an unknown inbox. */
export const sweptAfterMs = 3_600_000;

/** Bytes around a message in its line: checksum, tab and line feed. */
const frameBytes = 11;

/**
 * Returns the bytes that a message takes: those of its line in a file, with the body in base64. The same in every
 * store.
 */
export const sizeOf = ({ body, ...rest }: Message): number =>
  Buffer.byteLength(JSON.stringify(rest)) + 4 * Math.ceil(body.length / 3) + frameBytes;
