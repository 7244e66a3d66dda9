import { ToolError } from "../../catalog/errors.ts";
import { formatUuids } from "../../lib/uuid/format.ts";
import { unixUuids } from "../../lib/uuid/timed.ts";
import { type WebhookFault, verifyWebhook } from "../../lib/webhook/verify.ts";
import { type Seal, SealError } from "../../storage/seal.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Kept, Message } from "../../storage/inbox/inbox-store.ts";
import type { Room } from "../../storage/inbox/ledger.ts";
import type { InboxRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import { toUnavailable } from "../../storage/unavailable.ts";
import { createWindowCounter } from "../../storage/window-counter.ts";
import { eventOf } from "./event-of.ts";
import type { Runtime } from "../../runtime.ts";

/** A request to an inbox. */
export interface Received {
  method: Message["method"];
  /** The query without its question mark. */
  query: string;
  /** Names and values in turn, as Node's `rawHeaders`. */
  rawHeaders: readonly string[];
  body: Uint8Array;
}

/** Receives messages for inboxes. */
export interface Receiver {
  /** Counts a message for an inbox before it is read. @throws ToolError quota_exceeded. */
  admit(inbox: string): void;
  /**
   * Stores a message; resolves when it is on the disk, to true if its event was received before.
   * @throws ToolError invalid_signature if the inbox refuses wrong signatures; quota_exceeded or overloaded if there is no
   * room for the message; storage_unavailable.
   */
  receive(inbox: InboxRecord, request: Received): Promise<boolean>;
}

export interface ReceiverDeps {
  store: Pick<Store, "inbox">;
  seal: Seal;
  kept: Kept;
  /** Limits of what the inboxes of an account, and of the store, hold together. */
  shares: Omit<Room, "account">;
  runtime: Runtime;
  /** Called with faults of the store; the sender gets 503. */
  onError(error: StoreError): void;
  /** Messages a minute that this node accepts for one inbox. */
  perMinute?: number;
}

/** Tolerance for the time of a signature, as Stripe, Slack and Standard Webhooks recommend. */
const toleranceSeconds = 300;
/** Bytes of headers stored with a message. */
const headerBytes = 16_384;
const inboxesWatched = 10_000;

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { store, seal, kept, shares, runtime, onError, perMinute = 600 } = deps;
  const minutes = createWindowCounter({ seconds: 60, capacity: inboxesWatched, runtime });

  /** The reason why the signature is wrong; undefined if it is right, or if the scheme has none. */
  function distrust(
    inbox: InboxRecord,
    secret: string,
    { rawHeaders, body }: Received,
  ): WebhookFault | undefined {
    if (inbox.scheme === "none") return undefined;
    const webhook = {
      payload: body,
      secret,
      header: (name: string) => headerOf(rawHeaders, name),
      now: runtime.now() / 1000,
      toleranceSeconds,
    };
    return verifyWebhook(inbox.scheme, webhook)[0];
  }

  function openSecret({ id, secret = "" }: InboxRecord): string {
    try {
      return seal.open(secret, id);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw unavailable(new StoreError("read", error.message, error));
    }
  }

  function unavailable(error: StoreError): ToolError {
    onError(error);
    return toUnavailable(error);
  }

  function toMessage(inbox: InboxRecord, request: Received): Message {
    const { method, query, rawHeaders, body } = request;
    const why = distrust(inbox, openSecret(inbox), request);
    if (why !== undefined && inbox.onInvalid === "refuse") {
      const { message } = why;
      throw new ToolError("invalid_signature", message, { errors: [{ message }] });
    }
    return {
      id: `msg_${formatUuids(unixUuids(1, runtime.now(), runtime.random))}`,
      at: runtime.now(),
      method,
      query: query === "" ? "" : `?${query}`,
      headers: keepHeaders(rawHeaders),
      body,
      // An unverified message must not make the genuine one with its id a duplicate.
      ...(why === undefined && eventOf(inbox.scheme, body, (name) => headerOf(rawHeaders, name))),
      signature: inbox.scheme === "none" ? "unchecked" : why === undefined ? "valid" : "invalid",
    };
  }

  return {
    admit(inbox) {
      const { used, resetAt } = minutes.seen(inbox) ?? { used: 0, resetAt: 0 };
      if (used >= perMinute) {
        const retryAfter = Math.max(1, Math.ceil((resetAt - runtime.now()) / 1000));
        throw new ToolError(
          "quota_exceeded",
          `An inbox accepts ${perMinute} messages a minute. Send this one again in ${retryAfter} seconds.`,
          { limit: perMinute, retryAfter },
        );
      }
      void minutes.consume(inbox, 1);
    },
    async receive(inbox, request) {
      const message = toMessage(inbox, request);
      try {
        const room = { ...shares, account: inbox.account };
        return await (await store.inbox()).add(inbox.id, message, kept, room);
      } catch (error) {
        throw error instanceof StoreError ? unavailable(error) : error;
      }
    },
  };
}

/** Joins headers of one name as RFC 9110 §5.3 does, so that a signature sent twice is not valid. */
function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const one = rawHeaders[at] as string;
    if (one.length === name.length && one.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values.length === 0 ? undefined : values.join(", ");
}

function keepHeaders(rawHeaders: readonly string[]): [string, string][] {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const pair: [string, string] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    bytes += pair[0].length + pair[1].length;
    if (bytes > headerBytes) break;
    kept.push(pair);
  }
  return kept;
}
