import type { Plan } from "../../catalog/principal.ts";
import type { disabledReasons } from "../storage/records.ts";

/** A key as an event tells of it: nothing by which it could be used or recognised in a store. */
export interface KeyData {
  /** `key_…` */
  id: string;
  name: string | null;
  /** Its first characters, by which its holder knows it. */
  start: string;
  createdAt: string;
  /** Null for one that does not expire. */
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

/** What each type of event tells, beside what all of them do. */
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
    /** Of the URL no more than the origin: a path may be a secret between two. */
    endpoint: { id: string; origin: string; description: string | null };
    reason: (typeof disabledReasons)[number];
    disabledAt: string;
  };
  "webhook.test": { endpoint: string; message: string };
}

export type EventType = keyof EventData;

export const accountChanges = ["created", "changed", "disabled", "enabled", "deleted"] as const;

/** Every type there is, in the order in which they are shown. */
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

/** What is sent, minified; the same for every endpoint. */
export interface EventBody<Type extends EventType = EventType> {
  /** `evt_` and a UUID of version 7. */
  id: string;
  type: Type;
  /** RFC 3339 in UTC: when it happened. */
  timestamp: string;
  account: string;
  data: EventData[Type];
}
