import { inboxSchemes } from "../../../storage/records.ts";
import { integer, listOf, objectOf, text, textOrNull, time } from "./forms.ts";
import type { Schema } from "./types.ts";

/** Schemas of the answers of inboxes. */
export const inboxSchemas: Record<string, Schema> = {
  Inbox: objectOf({
    id: text("The id, which is part of the URL for senders."),
    url: text("The URL for senders.", { format: "uri" }),
    account: text("The account that owns it."),
    name: textOrNull("A label for people."),
    scheme: text("The signature scheme of its senders.", { enum: inboxSchemes }),
    onInvalid: text("Refuse a message with a wrong signature (401), or record it as invalid.", {
      enum: ["refuse", "record"],
    }),
    status: integer(200, "HTTP status of the answer to a sender.", { maximum: 599 }),
    body: textOrNull(
      "Body of the answer; null for the default, which reports whether the message is a duplicate.",
    ),
    delayMs: integer(0, "Milliseconds before the answer."),
    createdAt: time("When it was created."),
    messages: integer(0, "The number of messages that it keeps."),
    duplicates: integer(0, "The number of duplicates received, which are not kept."),
    newestAt: { ...time("When the newest message was received."), type: ["string", "null"] },
    newestId: textOrNull("The id of the newest message."),
    "secret?": textOrNull("The signing secret, if this call generated one."),
  }),
  InboxMessage: objectOf({
    id: text("The id of the message."),
    at: time("When it was received."),
    method: { type: "string", enum: ["POST", "PUT"] },
    query: text("The query with its question mark; empty if there is none."),
    headers: listOf({ ...listOf(text()), minItems: 2, maxItems: 2 }, "Names and values as received."),
    type: textOrNull("The event type, if the sender gives one."),
    event: textOrNull("The sender's id of the event, if it gives one."),
    signature: { type: "string", enum: ["valid", "invalid", "unchecked"] },
    bytes: integer(0, "The size of the body."),
    "body?": text("The body, if it is UTF-8."),
    "bodyBase64?": text("The body in base64, if it is not UTF-8."),
  }),
};
