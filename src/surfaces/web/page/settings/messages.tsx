import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Graph } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Content } from "../ui/content.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import {
  type Inbox,
  type Message,
  type MessageHead,
  messageQuery,
  type MessagesAnswer,
  messagesQuery,
  messagesSubscription,
} from "./inboxes-api.ts";

/** Rows; more are added by a button, because a table of all messages would take seconds to draw. */
const shownAtOnce = 100;

export interface MessagesProps {
  of: Inbox;
  graph: Graph;
  root: URL;
}

/** The messages of an inbox, newest first, as they come. */
export function Messages({ of, graph, root }: MessagesProps): JSX.Element {
  const messages = useSignal<readonly MessageHead[]>([]);
  const most = useSignal(shownAtOnce);
  const open = useSignal<MessageHead | undefined>(undefined);
  const { run, isBusy, message } = useAct();
  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    void run(async () => {
      const after = await readAll(graph, of.id, messages);
      if (isGone) return;
      end = graph.subscribe<{ inboxEvents: MessageHead }>(
        messagesSubscription,
        { id: of.id, after },
        ({ inboxEvents: received }) => {
          // After a reconnect the server repeats messages.
          if (!messages.value.some(({ id }) => id === received.id))
            messages.value = [received, ...messages.value];
        },
      );
    });
    return () => {
      isGone = true;
      end?.();
    };
  }, [of.id]);
  const shown = messages.value.slice(0, most.value);
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">
        Messages of <Text>{of.name ?? of.id}</Text>
      </h2>
      <Copyable title="URL for the sender">{new URL(`inbox/${of.id}`, root).href}</Copyable>
      <Copyable title="Forward to your own machine">
        {`export PENKNIFE_URL=${root.href.replace(/\/$/, "")}\npenknife inbox forward ${of.id} http://localhost:3000/hook`}
      </Copyable>
      <p role="status">
        {isBusy.value
          ? "Reading …"
          : `${messages.value.length.toLocaleString()} ${messages.value.length === 1 ? "message" : "messages"}`}
      </p>
      {shown.length === 0 ? null : <MessageTable messages={shown} onOpen={(one) => (open.value = one)} />}
      {messages.value.length > shown.length ? (
        <p>
          <button onClick={() => (most.value += shownAtOnce)}>Show older messages</button>
        </p>
      ) : null}
      <p role="alert">{message.value}</p>
      {open.value === undefined ? null : (
        <MessageDialog of={open.value} inbox={of.id} graph={graph} onClose={() => (open.value = undefined)} />
      )}
    </section>
  );
}

/** Reads the messages that are kept, oldest first as the API has them. Returns the cursor after them. */
async function readAll(graph: Graph, id: string, messages: Signal<readonly MessageHead[]>): Promise<string> {
  // Before every message: one that comes between the reading and the subscription is in neither otherwise.
  let after = "msg_00000000-0000-0000-0000-000000000000";
  for (;;) {
    const answer: MessagesAnswer = await graph.request<MessagesAnswer>(messagesQuery, { id, after });
    const page = answer.inbox?.messages;
    if (!page) return after;
    messages.value = [...page.nodes.toReversed(), ...messages.value];
    after = page.pageInfo.endCursor ?? after;
    if (!page.pageInfo.hasNextPage) return after;
  }
}

const verdicts = { VALID: "valid", INVALID: "invalid", UNCHECKED: "not checked" };

interface MessageTableProps {
  messages: readonly MessageHead[];
  onOpen(message: MessageHead): void;
}

const MessageTable = ({ messages, onOpen }: MessageTableProps): JSX.Element => (
  <div class="scroll" role="region" aria-label="List of messages" tabIndex={0}>
    <table>
      <caption class="unseen">Messages</caption>
      <thead>
        <tr>
          <th scope="col">Received</th>
          <th scope="col">Type</th>
          <th scope="col">Signature</th>
          <th scope="col">Event</th>
          <th scope="col" class="number">
            Bytes
          </th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <tr key={message.id}>
            <th scope="row">
              <Time at={message.at} />
            </th>
            <td>{message.type === null ? "–" : <Text>{message.type}</Text>}</td>
            <td>{verdicts[message.signature]}</td>
            <td>{message.event === null ? "–" : <Text>{message.event}</Text>}</td>
            <td class="number">{message.bytes.toLocaleString()}</td>
            <td>
              <button aria-label={`Show the message ${message.id}`} onClick={() => onOpen(message)}>
                Show
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface MessageDialogProps {
  of: MessageHead;
  inbox: string;
  graph: Graph;
  onClose(): void;
}

function MessageDialog({ of, inbox, graph, onClose }: MessageDialogProps): JSX.Element {
  const whole = useSignal<Message | undefined>(undefined);
  const { run, message } = useAct();
  useEffect(() => {
    void run(async () => {
      const variables = { inbox, id: of.id };
      const answer = await graph.request<{ inbox: { message: Message | null } | null }>(
        messageQuery,
        variables,
      );
      whole.value = answer.inbox?.message ?? undefined;
    });
  }, [of.id]);
  return (
    <Dialog title="Message" onClose={onClose}>
      <p>
        <code>{of.id}</code>, received <Time at={of.at} />; its signature is {verdicts[of.signature]}.
      </p>
      <p role="alert">{message.value}</p>
      {whole.value === undefined ? null : <Whole of={whole.value} />}
      <button class="primary" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

/** Headers and body as they were received. */
function Whole({ of }: { of: Message }): JSX.Element {
  const lines = [
    `${of.method} ${of.query}`.trimEnd(),
    ...of.headers.map(({ name, value }) => `${name}: ${value}`),
  ];
  return (
    <>
      <h3>Headers</h3>
      <Content name="Headers">{lines.join("\n")}</Content>
      <h3>{of.body === null ? "Body, in Base64: it is no text" : "Body"}</h3>
      <Content name="Body">{of.body ?? of.bodyBase64}</Content>
    </>
  );
}
