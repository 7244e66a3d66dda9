import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { toInstant, toInstantOrNull } from "../../catalog/duration.ts";
import type { InboxStats, Message } from "../../storage/inbox/inbox-store.ts";
import type { InboxRecord } from "../../storage/records.ts";

/** An inbox as its owner sees it, without its secret. */
export const toInboxView = (
  { id, account, name, scheme, onInvalid, status, body, delayMs, createdAt }: InboxRecord,
  url: string,
  { messages, duplicates, newestAt, newestId }: InboxStats,
): object => ({
  id,
  url,
  account,
  name: name ?? null,
  scheme,
  onInvalid,
  status,
  body: body ?? null,
  delayMs,
  createdAt,
  messages,
  duplicates,
  newestAt: toInstantOrNull(newestAt),
  // A client that follows the inbox starts after this message and misses nothing while it is disconnected.
  newestId: newestId ?? null,
});

/** A message with its body as text if that preserves every byte, as base64 otherwise. */
export function toMessageView({ id, at, method, query, headers, signature, ...message }: Message): object {
  const { type = null, event = null, body } = message;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    id,
    at: toInstant(at),
    method,
    query,
    headers,
    type,
    event,
    signature,
    bytes: bytes.length,
    ...(isUtf8(bytes) ? { body: bytes.toString() } : { bodyBase64: bytes.toString("base64") }),
  };
}

/** Writes messages as JSON, separated by commas. Yields to the event loop after large ones. */
export async function toItems(messages: readonly Message[]): Promise<string> {
  const items: string[] = [];
  for (const message of messages) {
    items.push(JSON.stringify(toMessageView(message)));
    if (message.body.length > 65_536) await setImmediate();
  }
  return items.join(",");
}
