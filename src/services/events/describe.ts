import { plans, disabledReasons } from "../../storage/records.ts";
import { accountChanges, type EventData, type EventType, eventTypes } from "./types.ts";

/** A JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** The description of an event type in `GET /api/events` and the OpenAPI document. */
export interface EventDescription {
  type: EventType;
  title: string;
  /** When it is sent. */
  description: string;
  /** Schema of the whole event. */
  schema: Schema;
  /** A whole event. */
  example: unknown;
}

interface Words<Type extends EventType> {
  title: string;
  description: string;
  data: Schema;
  example: EventData[Type];
}

const text = { type: "string" } as const;
const instant = { type: "string", format: "date-time" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** All properties are present in every event. Later releases may add properties, which receivers must ignore. */
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const orNull = ({ type, ...rest }: Schema): Schema => ({ type: [type, "null"], ...rest });

const key = object({
  id: { type: "string", pattern: "^key_[0-9a-f]{20}$" },
  name: { ...orNull(text), description: "The label of the key." },
  start: { ...text, description: "Its first characters, by which its holder recognizes it." },
  createdAt: instant,
  expiresAt: { ...orNull(instant), description: "Null if it does not expire." },
});

const account = object({
  name: text,
  plan: { type: "string", enum: plans },
  limit: { ...count, description: "Requests an hour." },
  disabled: { type: "boolean" },
});

const window = object({
  limit: { ...count, description: "Requests an hour." },
  used: { ...count, description: "Requests that were counted in this window." },
  resetAt: { ...instant, description: "When the window ends." },
});

const keyExample = {
  id: "key_0123456789abcdef0123",
  name: "gitlab",
  start: "svc_live_4fJz",
  createdAt: "2026-11-21T09:30:00.000Z",
  expiresAt: "2027-02-19T09:30:00.000Z",
};
const windowExample = { limit: 1000, used: 800, resetAt: "2026-11-21T10:30:00.000Z" };

const words: { readonly [Type in EventType]: Words<Type> } = {
  "key.issued": {
    title: "A key was issued",
    description: "Sent when a key is issued for the account. It does not contain the key itself.",
    data: object({ key }),
    example: { key: keyExample },
  },
  "key.rotated": {
    title: "A key was rotated",
    description:
      "Sent when a new key replaces another. Both work until `previous.expiresAt`; if that has passed, the old key no longer works.",
    data: object({ key, previous: key }),
    example: {
      key: { ...keyExample, id: "key_89abcdef0123456789ab", start: "svc_live_Qm7a" },
      previous: { ...keyExample, expiresAt: "2026-11-22T09:30:00.000Z" },
    },
  },
  "key.revoked": {
    title: "A key was revoked",
    description: "Sent for each key that is revoked. The key no longer works.",
    data: object({ key, reason: { ...orNull(text), description: "Null if the operator gave none." } }),
    example: { key: keyExample, reason: "leaked in a log" },
  },
  "key.expiring": {
    title: "A key expires soon",
    description:
      "Sent once 7 days and once 1 day before a key expires, for keys that live longer than that and were not rotated. Checked once an hour.",
    data: object({ key, days: { type: "integer", enum: [7, 1] } }),
    example: { key: keyExample, days: 7 },
  },
  "limit.warning": {
    title: "80 % of the quota are used",
    description: "Sent when the account has used 80 % of its requests of a window; once a window.",
    data: window,
    example: windowExample,
  },
  "limit.reached": {
    title: "The quota is used up",
    description: "Sent when a request of the account is refused with 429 for the first time in a window.",
    data: window,
    example: { ...windowExample, used: 1000 },
  },
  "account.updated": {
    title: "The account was changed",
    description:
      "Sent when the operator creates, changes, disables, enables or deletes the account. The endpoints of a deleted account receive this event and are then removed.",
    data: object({ change: { type: "string", enum: accountChanges }, account }),
    example: {
      change: "changed",
      account: { name: "ci", plan: "team", limit: 20_000, disabled: false },
    },
  },
  "endpoint.disabled": {
    title: "An endpoint was disabled",
    description:
      "Sent to the other endpoints of the account when one has answered 410 (`gone`), or every attempt failed for 5 days (`failing`).",
    data: object({
      endpoint: object({
        id: { type: "string", pattern: "^we_[0-9a-f]{24}$" },
        origin: { ...text, description: "Scheme, host and port of its URL." },
        description: orNull(text),
      }),
      reason: { type: "string", enum: disabledReasons },
      disabledAt: instant,
    }),
    example: {
      endpoint: {
        id: "we_0123456789abcdef01234567",
        origin: "https://hooks.example.com",
        description: "the deploy bot",
      },
      reason: "failing",
      disabledAt: "2026-11-21T09:30:00.000Z",
    },
  },
  "webhook.test": {
    title: "A test",
    description: "Sent to one endpoint when the operator requests it, regardless of its event types.",
    data: object({ endpoint: { type: "string", pattern: "^we_[0-9a-f]{24}$" }, message: text }),
    example: {
      endpoint: "we_0123456789abcdef01234567",
      message: "This is a test. Nothing has happened.",
    },
  },
};

const toSchema = (type: EventType): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: words[type].title,
  ...object({
    id: {
      type: "string",
      pattern: "^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
      description: "The same for every endpoint and attempt, so that a receiver can ignore duplicates.",
    },
    type: { const: type },
    timestamp: { ...instant, description: "When it happened." },
    account: { ...text, description: "The name of the account." },
    data: words[type].data,
  }),
});

export const describeEvents = (): EventDescription[] =>
  eventTypes.map((type) => ({
    type,
    title: words[type].title,
    description: words[type].description,
    schema: toSchema(type),
    example: {
      id: "evt_019dd9e0-7c80-7a3b-8c2f-5b9e1d4a6f70",
      type,
      timestamp: "2026-11-21T09:30:00.000Z",
      account: "ci",
      data: words[type].example,
    },
  }));
