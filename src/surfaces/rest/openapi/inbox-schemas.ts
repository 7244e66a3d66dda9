import { inboxSchemes } from "../../../services/storage/records.ts";
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
      id: text("Its id, which is what a sender has to know."),
      url: { ...text("Where to send to."), format: "uri" },
      account: text("Whose it is."),
      name: textOrNull("For people."),
      scheme: { type: "string", enum: inboxSchemes, description: "How its senders sign." },
      onInvalid: {
        type: "string",
        enum: ["refuse", "record"],
        description: "Whether a wrong signature is 401, or kept and marked as invalid.",
      },
      status: { type: "integer", minimum: 200, maximum: 599, description: "Of the answer to a sender." },
      body: textOrNull("Of that answer; null is what says whether the message came before."),
      delayMs: count("Milliseconds before that answer."),
      createdAt: time("When it was made."),
      messages: count("How many it has."),
      duplicates: count("How many came again."),
      newestAt: { ...time("When the newest came."), type: ["string", "null"] },
      newestId: textOrNull("The id of the newest."),
      secret: textOrNull("What its senders sign with, where that was made in this call."),
    },
  },
  InboxMessage: {
    type: "object",
    required: "id at method query headers type event signature bytes".split(" "),
    properties: {
      id: text("Its id."),
      at: time("When it came."),
      method: { type: "string", enum: ["POST", "PUT"] },
      query: text("With its question mark; empty where there is none."),
      headers: {
        type: "array",
        items: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 2 },
        description: "Names and values as they came.",
      },
      type: textOrNull("What it is about."),
      event: textOrNull("By which its sender tells it from others."),
      signature: { type: "string", enum: ["valid", "invalid", "unchecked"] },
      bytes: count("Of the body."),
      body: text("The body, where it is UTF-8."),
      bodyBase64: text("The body, where it is not."),
    },
  },
};
