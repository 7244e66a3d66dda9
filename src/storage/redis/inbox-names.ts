import { type RedisClient, tagOf } from "./client.ts";

/** The names of inboxes in Redis. Those of one inbox lie on one server of a cluster. */
export interface InboxNames {
  /** The hash of the bytes that all inboxes hold. */
  sizes: string;
  /** The names that every script uses, in their order. */
  ofScripts(inbox: string): string[];
  messageName(inbox: string, id: string): string;
  /** The name that leads to the message of an event. */
  eventName(inbox: string, event: string): string;
  logOf(inbox: string): string;
  /** The hash of the bytes of each message. */
  sizeOf(inbox: string): string;
  stateOf(inbox: string): string;
  /** The channel that announces the messages of an inbox. */
  channelOf(inbox: string): string;
}

/** @param base The beginning of all these names. */
export function createInboxNames(client: RedisClient, base: string): InboxNames {
  const tag = tagOf(client);
  const sizes = `${base}sizes`;
  const of = (inbox: string, part: string): string => `${base}${tag(inbox)}:${part}`;
  const logOf = (inbox: string): string => of(inbox, "log");
  const sizeOf = (inbox: string): string => of(inbox, "size");
  const stateOf = (inbox: string): string => of(inbox, "state");
  return {
    sizes,
    ofScripts: (inbox) => [
      logOf(inbox),
      of(inbox, "at"),
      sizeOf(inbox),
      stateOf(inbox),
      client.isCluster ? of(inbox, "held") : sizes,
    ],
    messageName: (inbox, id) => of(inbox, `m:${id}`),
    eventName: (inbox, event) => of(inbox, `e:${event}`),
    logOf,
    sizeOf,
    stateOf,
    channelOf: (inbox) => of(inbox, "new"),
  };
}
