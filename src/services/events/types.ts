import type { Plan } from "../../catalog/principal.ts";
import type { disabledReasons } from "../../storage/records.ts";

/** A key in an event, without anything by which it could be used or found in a store. */
export interface KeyData {
  /** `key_…` */
  id: string;
  name: string | null;
  /** The first characters, by which its holder recognizes it. */
  start: string;
  createdAt: string;
  /** Null if it does not expire. */
  expiresAt: string | null;
}

export interface AccountData {
  name: string;
  plan: Plan;
  /** Requests an hour. */
  limit: number;
  disabled: boolean;
}

export interface WindowData {
  /** Requests an hour. */
  limit: number;
  used: number;
  /** When the window ends. */
  resetAt: string;
}

/** The data of each event type, beside the fields common to all. */
export interface EventData {
  "key.issued": { key: KeyData };
  "key.rotated": { key: KeyData; previous: KeyData };
  "key.revoked": { key: KeyData; reason: string | null };
  "key.expiring": { key: KeyData; days: 7 | 1 };
  "limit.warning": WindowData;
  "limit.reached": WindowData;
  "account.updated": {
    change: (typeof accountChanges)[number];
    account: AccountData;
  };
  "endpoint.disabled": {
    /** The URL is reduced to its origin: a path may be a shared secret. */
    endpoint: { id: string; origin: string; description: string | null };
    reason: (typeof disabledReasons)[number];
    disabledAt: string;
  };
  "webhook.test": { endpoint: string; message: string };
}

export type EventType = keyof EventData;

export const accountChanges = ["created", "changed", "disabled", "enabled", "deleted"] as const;

/** All types, in display order. */
export const eventTypes = [
  "key.issued",
  "key.rotated",
  "key.revoked",
  "key.expiring",
  "limit.warning",
  "limit.reached",
  "account.updated",
  "endpoint.disabled",
  "webhook.test",
] as const satisfies readonly EventType[];

export const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);

/** An event as it is sent, minified; the same for every endpoint. */
export interface EventBody<Type extends EventType = EventType> {
  /** `evt_` and a UUID of version 7. */
  id: string;
  type: Type;
  /** When it happened, in RFC 3339, UTC. */
  timestamp: string;
  account: string;
  data: EventData[Type];
}
