import { useSignal } from "@preact/signals";
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

/** Messages that the page keeps; an inbox keeps no more. */
const mostKept = 10_000;
const retryMs = 10_000;

/** Rows; more are added by a button, because a table of all messages would take seconds to draw. */
const shownAtOnce = 100;

export interface MessagesProps {
  of: Inbox;
  graph: Graph;
  root: URL;
  /** Called for each new message. */
  onReceived(): void;
}

/** The messages of an inbox, newest first, as they come. */
export function Messages({ of, graph, root, onReceived }: MessagesProps): JSX.Element {
  const messages = useSignal<readonly MessageHead[]>([]);
  const most = useSignal(shownAtOnce);
  const open = useSignal<MessageHead | undefined>(undefined);
  const isReading = useSignal(true);
  const message = useSignal("");
  useEffect(() => {
    // Before every message: one that comes between the reading and the subscription is in neither otherwise.
    const variables = { id: of.id, after: "msg_00000000-0000-0000-0000-000000000000" };
    let end: (() => void) | undefined;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void begin();
    return () => {
      isGone = true;
      clearTimeout(timer);
      end?.();
    };

    async function begin(): Promise<void> {
      try {
        await readAll();
      } catch (error) {
        message.value = (error as Error).message;
        if (!isGone && graph.hindrance.value !== "signed-out")
          timer = setTimeout(() => void begin(), retryMs);
        return;
      }
      message.value = "";
      isReading.value = false;
      if (isGone) return;
      end = graph.subscribe<{ inboxEvents: MessageHead }>(messagesSubscription, variables, (data) => {
        const received = data.inboxEvents;
        // After a reconnect the server continues here.
        variables.after = received.id;
        if (messages.value.some(({ id }) => id === received.id)) return;
        messages.value = [received, ...messages.value].slice(0, mostKept);
        onReceived();
      });
    }

    /** Reads the messages that are kept, oldest first as the API has them. */
    async function readAll(): Promise<void> {
      for (let isMore = true; isMore && !isGone;) {
        const answer: MessagesAnswer = await graph.request<MessagesAnswer>(messagesQuery, variables);
        const page = answer.inbox?.messages;
        if (!page) return;
        messages.value = [...page.nodes.toReversed(), ...messages.value].slice(0, mostKept);
        variables.after = page.pageInfo.endCursor ?? variables.after;
        isMore = page.pageInfo.hasNextPage;
      }
    }
  }, [of.id]);
  const shown = messages.value.slice(0, most.value);
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">
        Messages of <Text>{of.name ?? of.id}</Text>
      </h2>
      <Copyable title="URL for the sender">{new URL(`inbox/${of.id}`, root).href}</Copyable>
      <Copyable title="Forward to your own machine, with a key in PENKNIFE_KEY">
        {`export PENKNIFE_URL=${root.href.replace(/\/$/, "")}\npenknife inbox forward ${of.id} http://localhost:3000/hook`}
      </Copyable>
      <p role="status">
        {isReading.value && message.value === ""
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
  const whole = useSignal<Message | null | undefined>(undefined);
  const { run, message } = useAct();
  useEffect(() => {
    void run(async () => {
      const variables = { inbox, id: of.id };
      const answer = await graph.request<{ inbox: { message: Message | null } | null }>(
        messageQuery,
        variables,
      );
      whole.value = answer.inbox?.message ?? null;
    });
  }, [of.id]);
  return (
    <Dialog title="Message" onClose={onClose}>
      <p>
        <code>{of.id}</code>, received <Time at={of.at} />; its signature is {verdicts[of.signature]}.
      </p>
      <p role="alert">{message.value}</p>
      {whole.value === null ? <p>The inbox no longer keeps this message.</p> : null}
      {whole.value ? <Whole of={whole.value} /> : null}
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
      <h3>{of.body === null ? "Body, in Base64 because it is not text" : "Body"}</h3>
      <Content name="Body">{of.body ?? of.bodyBase64}</Content>
    </>
  );
}
