import type { Room } from "./ledger.ts";

/** A request that an inbox has received. Times are epoch milliseconds. */
export interface Message {
  /** `msg_` and a UUID of version 7; no other message has it. */
  id: string;
  at: number;
  method: "POST" | "PUT";
  /** What follows the path, with its question mark; empty where there is none. */
  query: string;
  /** As they came, in their order. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** By which the sender tells one event from another; undefined where it does not say. */
  event?: string;
  /** What it is about, where the sender says so. */
  type?: string;
  /** `unchecked` where the inbox checks no signatures; `invalid` only where it records such all the same. */
  signature: "valid" | "invalid" | "unchecked";
}

/** What an inbox keeps. */
export interface Kept {
  /** At most so many, the newest. */
  messages: number;
  /** And of these none that came longer ago: `at` is before now − `ms`. */
  ms: number;
  /** Most bytes of them together, as `sizeOf` counts them. The newest message is kept in any case. */
  bytes: number;
}

export interface ReadOptions {
  /** The id of a message. */
  after?: string;
  /** Only those of this type: the bodies of others are not read. */
  type?: string;
  limit: number;
  kept: Kept;
}

export interface InboxStats {
  messages: number;
  /** How many came again since the inbox was made. */
  duplicates: number;
  /** When the newest came; undefined where there is none. */
  newestAt?: number;
  /** Its id. */
  newestId?: string;
}

/**
 * What the inboxes have received. An inbox is there as soon as something is added to it; its id is `in_` and 32 hex
 * digits. Everything throws StoreError where the store cannot be used.
 */
export interface InboxStore {
  /**
   * Durable when it resolves. True where a message with this `event` is kept already: this one is not kept a second time,
   * but counted. Of several that come at once, through whichever node, one is kept. The oldest messages of the inbox make
   * room for it; those of other inboxes do not. @throws ToolError where `room` has none left.
   */
  add(inbox: string, message: Message, kept: Kept, room?: Room): Promise<boolean>;
  /**
   * The oldest first, in the order in which they were added, whatever their ids and times say. After the message `after`;
   * from the first where it is not given, or is not here any more: then it was older than all that is here.
   */
  read(inbox: string, options: ReadOptions): Promise<Message[]>;
  /** Undefined where there is none, or it is not kept any longer. */
  get(inbox: string, id: string, kept: Kept): Promise<Message | undefined>;
  stats(inbox: string, kept: Kept): Promise<InboxStats>;
  /** All of an inbox, and what was counted. */
  remove(inbox: string): Promise<void>;
  /** Called some time after a message was added, through whichever node. Returns how to end that. */
  onMessage(inbox: string, listener: () => void): () => void;
  /**
   * Of a store that forgets nothing by itself: frees what takes room and is kept no longer, and what is left of inboxes
   * that are not among these. One to which something was added within the hour is left alone: it may be newer than the list.
   */
  sweep?(inboxes: readonly string[], kept: Kept): Promise<void>;
  close(): Promise<void>;
}

/** How long nothing has been added to what `sweep` takes for a leftover. */
export const sweptAfterMs = 3_600_000;

/** Bytes around a line of a file: its checksum, a tab and a line feed. */
const frameBytes = 11;

/** Bytes that a message takes: those of its line in a file, which has the body in base64. The same in every store. */
export const sizeOf = ({ body, ...rest }: Message): number =>
  Buffer.byteLength(JSON.stringify(rest)) + 4 * Math.ceil(body.length / 3) + frameBytes;

/** Returns how many of the oldest sizes have to go so that no more than `kept` is left. */
export function countOver(
  sizes: readonly number[],
  { messages, bytes }: Pick<Kept, "messages" | "bytes">,
): number {
  let from = sizes.length;
  let sum = 0;
  while (from > 0 && sizes.length - from < messages) {
    sum += sizes[from - 1] as number;
    if (sum > bytes && from < sizes.length) break;
    from -= 1;
  }
  return from;
}
