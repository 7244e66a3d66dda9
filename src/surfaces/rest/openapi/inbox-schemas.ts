import { inboxSchemes } from "../../../storage/records.ts";
import type { Schema } from "./types.ts";

const text = (description: string): Schema => ({ type: "string", description });
const textOrNull = (description: string): Schema => ({ type: ["string", "null"], description });
const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

/** Schemas of the answers of inboxes. */
export const inboxSchemas: Record<string, Schema> = {
  Inbox: {
    type: "object",
    required: [
      ..."id url account name scheme onInvalid status body delayMs createdAt".split(" "),
      ..."messages duplicates newestAt newestId".split(" "),
    ],
    properties: {
      id: text("The id, which is part of the URL for senders."),
      url: { ...text("The URL for senders."), format: "uri" },
      account: text("The account that owns it."),
      name: textOrNull("A label for people."),
      scheme: { type: "string", enum: inboxSchemes, description: "The signature scheme of its senders." },
      onInvalid: {
        type: "string",
        enum: ["refuse", "record"],
        description: "Refuse a message with a wrong signature (401), or record it as invalid.",
      },
      status: {
        type: "integer",
        minimum: 200,
        maximum: 599,
        description: "HTTP status of the answer to a sender.",
      },
      body: textOrNull(
        "Body of the answer; null for the default, which reports whether the message is a duplicate.",
      ),
      delayMs: count("Milliseconds before the answer."),
      createdAt: time("When it was created."),
      messages: count("The number of messages that it keeps."),
      duplicates: count("The number of duplicates received, which are not kept."),
      newestAt: { ...time("When the newest message was received."), type: ["string", "null"] },
      newestId: textOrNull("The id of the newest message."),
      secret: textOrNull("The signing secret, if this call generated one."),
    },
  },
  InboxMessage: {
    type: "object",
    required: "id at method query headers type event signature bytes".split(" "),
    properties: {
      id: text("The id of the message."),
      at: time("When it was received."),
      method: { type: "string", enum: ["POST", "PUT"] },
      query: text("The query with its question mark; empty if there is none."),
      headers: {
        type: "array",
        items: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 2 },
        description: "Names and values as received.",
      },
      type: textOrNull("The event type, if the sender gives one."),
      event: textOrNull("The sender's id of the event, if it gives one."),
      signature: { type: "string", enum: ["valid", "invalid", "unchecked"] },
      bytes: count("The size of the body."),
      body: text("The body, if it is UTF-8."),
      bodyBase64: text("The body in base64, if it is not UTF-8."),
    },
  },
};
