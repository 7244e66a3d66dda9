import { hash } from "node:crypto";
import { memberTexts } from "../../lib/json/member-texts.ts";

/** What a sender says of its message. */
export interface EventOf {
  /** By which it tells one event from another. */
  event?: string;
  type?: string;
}

/** Characters; an id that is longer is known by its hash, a type is cut. */
const longest = 256;

// Those of Standard Webhooks (which Svix sends under names of its own), of penknife, GitHub and GitLab.
const eventHeaders = ["webhook-id", "svix-id", "x-event-id", "x-github-delivery"];
const typeHeaders = ["x-event-type", "x-github-event", "x-gitlab-event"];

/** The body's `id` and `type` come first, where it is a JSON object that has them as texts. */
export function eventOf(body: Uint8Array, header: (name: string) => string | undefined): EventOf {
  const inBody = memberTexts(body, ["id", "type"]);
  // An empty text says nothing.
  const event = inBody.get("id") || first(eventHeaders, header);
  const type = inBody.get("type") || first(typeHeaders, header);
  return {
    ...(event !== undefined && { event: toName(event) }),
    ...(type !== undefined && { type: type.slice(0, longest).toWellFormed() }),
  };
}

const first = (names: readonly string[], header: (name: string) => string | undefined): string | undefined =>
  names.map(header).find((value) => value !== undefined && value !== "");

/** What half a surrogate pair is kept as depends on the store: two of them must not become one. */
function toName(event: string): string {
  const whole = event.isWellFormed();
  if (whole && event.length <= longest) return event;
  return `sha256:${hash("sha256", whole ? event : Buffer.from(event, "utf16le"), "hex")}`;
}
