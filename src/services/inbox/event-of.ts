import { hash } from "node:crypto";
import { memberTexts } from "../../lib/json/member-texts.ts";
import type { InboxRecord } from "../../storage/records.ts";

/** The event that a message is about, as its sender names it. */
export interface EventOf {
  /** Identifies the event: two messages with one id are the same event. */
  event?: string;
  type?: string;
}

/** Characters. A longer id is replaced by its hash, a longer type is cut. */
const maxLength = 256;

/** The place of an id: a header, by its lower-case name, or a member of a JSON object in the body. */
type Source = { header: string } | { member: "id" | "event_id" };

/**
 * The places of the event id for each scheme; the first that exists counts. An id of the scheme itself comes first: the
 * `id` of a body is often that of an order, and two events about the same order must not be taken for one.
 */
const eventSources: Readonly<Record<InboxRecord["scheme"], readonly Source[]>> = {
  // Svix sends the id of Standard Webhooks in a header of its own.
  "standard-webhooks": [{ header: "webhook-id" }, { header: "svix-id" }],
  github: [{ header: "x-github-delivery" }, { member: "id" }],
  gitlab: [{ header: "idempotency-key" }, { header: "x-gitlab-event-uuid" }, { member: "id" }],
  penknife: [{ member: "id" }, { header: "x-event-id" }],
  slack: [{ member: "event_id" }],
  stripe: [{ member: "id" }],
  // The sender is unknown. A header that only ever holds an event id is more reliable than the body.
  none: [
    { header: "webhook-id" },
    { header: "svix-id" },
    { header: "x-event-id" },
    { header: "x-github-delivery" },
    { header: "idempotency-key" },
    { header: "x-gitlab-event-uuid" },
    { member: "event_id" },
    { member: "id" },
  ],
};
const typeHeaders = ["x-event-type", "x-github-event", "x-gitlab-event"];

/** Reads the event of a message by the scheme of its inbox. The `type` of a JSON body comes before those of headers. */
export function eventOf(
  scheme: InboxRecord["scheme"],
  body: Uint8Array,
  header: (name: string) => string | undefined,
): EventOf {
  const inBody = memberTexts(body, ["id", "event_id", "type"]);
  // An empty text is no id.
  const event = eventSources[scheme]
    .map((source) => ("header" in source ? header(source.header) : inBody.get(source.member)))
    .find((value) => value !== undefined && value !== "");
  const type = inBody.get("type") || first(typeHeaders, header);
  return {
    ...(event !== undefined && { event: toName(event) }),
    ...(type !== undefined && { type: type.slice(0, maxLength).toWellFormed() }),
  };
}

const first = (names: readonly string[], header: (name: string) => string | undefined): string | undefined =>
  names.map(header).find((value) => value !== undefined && value !== "");

/** Escapes lone surrogates, which some stores replace: two different ids must not become one. */
function toName(event: string): string {
  const whole = event.isWellFormed();
  if (whole && event.length <= maxLength) return event;
  return `sha256:${hash("sha256", whole ? event : Buffer.from(event, "utf16le"), "hex")}`;
}
