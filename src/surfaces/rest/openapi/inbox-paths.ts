import { inputSchemaOf } from "../../../catalog/fields.ts";
import { inboxInputSchema } from "../../../services/inbox/input.ts";
import { componentOf, integer, json, listOf, objectOf, parameterIn, text } from "./forms.ts";
import { countedHeaders, headersOf } from "./headers.ts";
import { everywhere, problemsOf } from "./problems.ts";
import { type Content, type Operation, type PathItem, refTo, type Response } from "./types.ts";

/** The paths of inboxes, if this installation has them. */
export const inboxPaths = (): Record<string, PathItem> => ({
  "/api/inboxes": {
    parameters: [refTo("parameters", "RequestId")],
    get: toOperation("listInboxes", "List the inboxes of the account", {
      200: answer("The inboxes, oldest first.", json(objectOf({ items: listOf(componentOf("Inbox")) }))),
    }),
    post: toOperation(
      "createInbox",
      "Create an inbox",
      {
        201: answer("The inbox. Its secret is shown only here.", json(componentOf("Inbox"))),
      },
      { requestBody: settings },
    ),
  },
  "/api/inboxes/{id}": {
    parameters: [refTo("parameters", "RequestId"), inboxParameter],
    get: toOperation("showInbox", "Show an inbox", {
      200: answer("The inbox.", json(componentOf("Inbox"))),
    }),
    patch: toOperation(
      "changeInbox",
      "Change an inbox",
      { 200: answer("The inbox, with its secret if one was generated.", json(componentOf("Inbox"))) },
      { requestBody: settings },
    ),
    delete: toOperation("removeInbox", "Remove an inbox and its messages", {
      204: answer("The inbox was removed."),
    }),
  },
  "/api/inboxes/{id}/messages": {
    parameters: [refTo("parameters", "RequestId"), inboxParameter],
    get: toOperation(
      "listMessages",
      "List the messages of an inbox, or stream them",
      {
        200: answer("The messages, oldest first; a stream continues with each message as it is received.", {
          ...json(messageList),
          "text/event-stream": { schema: { type: "string" } },
        }),
      },
      {
        description:
          "With `Accept: text/event-stream` each message is an event with its id and the message as data on one line; a client that reconnects with Last-Event-ID misses none. Counted once.",
        parameters: messageParameters,
      },
      [406],
    ),
  },
  "/api/inboxes/{id}/messages/{message}": {
    parameters: [refTo("parameters", "RequestId"), inboxParameter, messageParameter],
    get: toOperation("showMessage", "Show a message", {
      200: answer("The message.", json(componentOf("InboxMessage"))),
    }),
  },
  "/api/inboxes/{id}/messages/{message}/body": {
    parameters: [refTo("parameters", "RequestId"), inboxParameter, messageParameter],
    get: toOperation("readMessageBody", "Return the body of a message, byte for byte", {
      200: answer("The bytes.", {
        "application/octet-stream": { schema: { type: "string", format: "binary" } },
      }),
    }),
  },
  "/inbox/{id}": {
    parameters: [refTo("parameters", "RequestId"), inboxParameter],
    post: receive("Post"),
    put: receive("Put"),
  },
});

const tags = ["inboxes"];

const messageList = objectOf({
  items: listOf(componentOf("InboxMessage")),
  more: { type: "boolean", description: "Whether there may be more after the last one." },
});

const answer = (description: string, content?: Content): Response => ({
  description,
  headers: headersOf(...countedHeaders),
  ...(content !== undefined && { content }),
});

const settings = {
  required: false,
  get content(): Content {
    return json(inputSchemaOf(inboxInputSchema));
  },
};

const inboxParameter = parameterIn(
  "path",
  "id",
  "The id of the inbox.",
  text(undefined, { pattern: "^in_[0-9a-f]{32}$" }),
);

const messageParameter = parameterIn(
  "path",
  "message",
  "The id of the message.",
  text(undefined, { pattern: "^msg_[0-9a-f-]{36}$" }),
);

const messageParameters = [
  parameterIn(
    "query",
    "after",
    "Start after the message with this id; `newest` skips all current messages.",
    text(undefined, { pattern: "^(?:newest|msg_[0-9a-f-]{36})$" }),
  ),
  parameterIn(
    "query",
    "limit",
    "The most messages to return; fewer are returned if their bodies are large.",
    integer(1, undefined, { maximum: 500, default: 100 }),
  ),
  parameterIn("query", "type", "Only messages of this type.", text(undefined, { minLength: 1 })),
  parameterIn(
    "header",
    "Last-Event-ID",
    "For a stream, in place of `after`: the id of the last message received.",
  ),
];

function toOperation(
  operationId: string,
  summary: string,
  responses: Operation["responses"],
  more: Partial<Operation> = {},
  statuses: readonly 406[] = [],
): Operation {
  const takesBody = more.requestBody !== undefined;
  return {
    operationId,
    tags,
    summary,
    description: "Requires a key of a pro or team account. Counted.",
    ...more,
    security: [{ key: [] }],
    responses: {
      ...responses,
      ...problemsOf(...everywhere, 401, 403, 404, ...statuses, 429, 503),
      ...(takesBody && problemsOf(413, 415)),
    },
  };
}

function receive(method: "Post" | "Put"): Operation {
  return {
    operationId: `receive${method}`,
    tags,
    summary: "Send a message to an inbox",
    description:
      "Any body of any type, also at any path below this one. The owner of the inbox chooses the answer. Not counted; an inbox accepts 600 messages a minute.",
    security: [],
    requestBody: { required: false, content: { "*/*": { schema: {} } } },
    responses: {
      200: {
        description: "The message is stored, or is a duplicate of a stored one.",
        headers: headersOf("X-Request-Id"),
        content: json(
          objectOf({
            received: { const: true },
            duplicate: { type: "boolean", description: "Whether its event was received before." },
          }),
        ),
      },
      default: {
        description: "The answer that the owner of the inbox has chosen.",
        headers: headersOf("X-Request-Id"),
      },
      ...problemsOf(...everywhere, 401, 404, 413, 429, 503),
    },
  };
}
