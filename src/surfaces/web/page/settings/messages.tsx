import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type DataOf, gql, type Graph } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Content } from "../ui/content.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { PageProps } from "../ui/frame.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";

type MessageHead = DataOf<"Received">["inboxEvents"];
type Message = NonNullable<NonNullable<DataOf<"Message">["inbox"]>["message"]>;

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
  const actions: Column<MessageHead> = {
    title: "Actions",
    cell: (one) => (
      <button aria-label={`Show the message ${one.id}`} onClick={() => (open.value = one)}>
        Show
      </button>
    ),
  };
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
      {shown.length === 0 ? null : (
        <Table
          label="List of messages"
          caption="Messages"
          rows={shown}
          idOf={({ id }) => id}
          columns={[...columns, actions]}
        />
      )}
      {messages.value.length > shown.length ? (
        <p>
          <button onClick={() => (maxShown.value += shownAtOnce)}>Show older messages</button>
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

const columns = [
  { title: "Received", cell: ({ at }) => <Time at={at} /> },
  { title: "Type", cell: ({ type }) => (type === null ? "–" : <Text>{type}</Text>) },
  { title: "Signature", cell: ({ signature }) => verdicts[signature] },
  { title: "Event", cell: ({ event }) => (event === null ? "–" : <Text>{event}</Text>) },
  { title: "Bytes", isNumber: true, cell: ({ bytes }) => bytes.toLocaleString() },
] satisfies Column<MessageHead>[];

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
      const answer = await graph.request(messageQuery, variables);
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
const messageQuery = gql(`
  query Message($inbox: ID!, $id: ID!) {
    inbox(id: $inbox) { message(id: $id) { method query headers { name value } body bodyBase64 } }
  }
`);
