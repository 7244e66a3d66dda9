import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type DataOf, gql } from "../graph.ts";
import { Copyable } from "../ui/copyable.tsx";
import type { PageProps } from "../ui/frame.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { MessageDetail, type MessageHead, Verdict } from "./message-detail.tsx";

/** Messages that the page keeps; an inbox keeps no more. */
const maxKept = 10_000;
const retryMs = 10_000;

/** Rows; more are added by a button, because a table of all messages would take seconds to draw. */
const shownAtOnce = 100;

export interface MessagesProps {
  of: { id: string; name: string | null };
  page: PageProps;
  /** Called for each new message. */
  onReceived(): void;
}

/** The messages of an inbox, newest first, as they come. */
export function Messages({ of, page: { graph, root }, onReceived }: MessagesProps): JSX.Element {
  const messages = useSignal<readonly MessageHead[]>([]);
  const maxShown = useSignal(shownAtOnce);
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
      end = graph.subscribe(messagesSubscription, variables, (data) => {
        const received = data.inboxEvents;
        // After a reconnect the server continues here.
        variables.after = received.id;
        if (messages.value.some(({ id }) => id === received.id)) return;
        messages.value = [received, ...messages.value].slice(0, maxKept);
        onReceived();
      });
    }

    /** Reads the messages that are kept, oldest first as the API has them. */
    async function readAll(): Promise<void> {
      for (let isMore = true; isMore && !isGone;) {
        const answer: DataOf<"Messages"> = await graph.request(messagesQuery, variables);
        const page = answer.inbox?.messages;
        if (!page) return;
        messages.value = [...page.nodes.toReversed(), ...messages.value].slice(0, maxKept);
        variables.after = page.pageInfo.endCursor ?? variables.after;
        isMore = page.pageInfo.hasNextPage;
      }
    }
  }, [of.id]);
  const shown = messages.value.slice(0, maxShown.value);
  const walk = (by: -1 | 1): void => {
    const next = messages.value[messages.value.findIndex(({ id }) => id === open.value?.id) + by];
    if (next !== undefined) open.value = next;
  };
  return (
    <section class="second" aria-labelledby="messages">
      <h2 id="messages">
        Messages of <Text>{of.name ?? of.id}</Text>
      </h2>
      <Address inbox={of.id} root={root} />
      <p role="status" class="muted small">
        {isReading.value && message.value === ""
          ? "Reading …"
          : messages.value.length === 0
            ? "0 messages. This page shows the first one as it comes."
            : `${messages.value.length.toLocaleString()} ${messages.value.length === 1 ? "message" : "messages"}, the newest first`}
      </p>
      <p role="alert">{message.value}</p>
      {shown.length === 0 ? null : (
        <div class="beside">
          <div class="second">
            <Table
              label="List of messages"
              caption="Messages"
              rows={shown}
              idOf={({ id }) => id}
              columns={[toOpener((one) => (open.value = one), open.value), ...columns]}
              isCurrent={({ id }) => id === open.value?.id}
              isDense
            />
            {messages.value.length > shown.length ? (
              <button onClick={() => (maxShown.value += shownAtOnce)}>Show older messages</button>
            ) : null}
          </div>
          <section class="card" aria-label="Message">
            {open.value === undefined ? (
              <p class="none">Choose a message to see its headers and body.</p>
            ) : (
              <MessageDetail of={open.value} inbox={of.id} graph={graph} root={root} onWalk={walk} />
            )}
          </section>
        </div>
      )}
    </section>
  );
}

/** Shows the URL of an inbox, and a command that receives its messages on another machine. */
function Address({ inbox, root }: { inbox: string; root: URL }): JSX.Element {
  return (
    <div class="cards">
      <Copyable title="URL for the sender">{new URL(`inbox/${inbox}`, root).href}</Copyable>
      <Copyable title="Forward to your own machine, with a key in PENKNIFE_KEY">
        {`export PENKNIFE_URL=${root.href.replace(/\/$/, "")}\npenknife inbox forward ${inbox} http://localhost:3000/hook`}
      </Copyable>
    </div>
  );
}

const toOpener = (open: (one: MessageHead) => void, shown: MessageHead | undefined): Column<MessageHead> => ({
  title: "Received",
  cell: (one) => (
    <button type="button" class="opener" aria-pressed={one.id === shown?.id} onClick={() => open(one)}>
      <Time at={one.at} />
      <span class="unseen">: message {one.id}</span>
    </button>
  ),
});

const columns = [
  { title: "Type", cell: ({ type }) => (type === null ? "–" : <Text>{type}</Text>) },
  { title: "Signature", cell: ({ signature }) => <Verdict of={signature} /> },
  { title: "Event", cell: ({ event }) => (event === null ? "–" : <Text>{event}</Text>) },
  { title: "Bytes", isNumber: true, cell: ({ bytes }) => bytes.toLocaleString() },
] satisfies Column<MessageHead>[];

const messagesQuery = gql(`
  query Messages($id: ID!, $after: ID) {
    inbox(id: $id) {
      messages(first: 250, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id at type event bytes signature }
      }
    }
  }
`);
const messagesSubscription = gql(`
  subscription Received($id: ID!, $after: ID) {
    inboxEvents(id: $id, after: $after) { id at type event bytes signature }
  }
`);
