import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { endSubscription, type Graph, openGraph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { type Asked, InboxDialogs, schemes } from "./inbox-dialogs.tsx";
import { type Inbox, type InboxesAnswer, inboxesQuery } from "./inboxes-api.ts";
import { Messages } from "./messages.tsx";

interface Page {
  graph: Graph;
  root: URL;
  list: Resource<InboxesAnswer>;
  asked: Signal<Asked | undefined>;
  /** The id of the inbox whose messages are shown. */
  open: Signal<string>;
}

/** Shows `/settings/inboxes`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const list = openResource(graph, () => graph.request<InboxesAnswer>(inboxesQuery));
  render(
    <Inboxes graph={graph} root={root} list={list} asked={signal(undefined)} open={signal("")} />,
    place,
  );
  graph.subscribe(endSubscription, {}, list.refresh);
}

function Inboxes({ graph, root, list, asked, open }: Page): JSX.Element {
  const answer = list.value.value;
  const account = answer?.viewer.account;
  const inboxes = answer?.inboxes ?? [];
  const shown = inboxes.find(({ id }) => id === open.value);
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {account === null ? (
        <p class="lead">The session of the operator belongs to no account, so it has no inboxes.</p>
      ) : (
        <p class="actions">
          <button
            class="primary"
            aria-disabled={account === undefined}
            onClick={() => {
              if (account !== undefined) asked.value = { kind: "create" };
            }}
          >
            Create an inbox
          </button>
        </p>
      )}
      {!account ? null : inboxes.length === 0 ? (
        <p role="status">This account has no inboxes yet.</p>
      ) : (
        <InboxTable
          inboxes={inboxes}
          open={open.value}
          onOpen={(id) => (open.value = id)}
          onAsk={(next) => (asked.value = next)}
        />
      )}
      {shown === undefined ? null : (
        <Messages key={shown.id} of={shown} graph={graph} root={root} onReceived={list.refresh} />
      )}
      <p role="alert">{list.message.value}</p>
      {asked.value === undefined ? null : (
        <InboxDialogs
          key={asked.value.kind}
          asked={asked.value}
          graph={graph}
          onAsk={(next) => {
            asked.value = next;
            void list.reload();
          }}
        />
      )}
    </>
  );
}

interface InboxTableProps {
  inboxes: readonly Inbox[];
  open: string;
  onOpen(id: string): void;
  onAsk(asked: Asked): void;
}

const InboxTable = ({ inboxes, open, onOpen, onAsk }: InboxTableProps): JSX.Element => (
  <div class="scroll" role="region" aria-label="List of inboxes" tabIndex={0}>
    <table>
      <caption class="unseen">Inboxes</caption>
      <thead>
        <tr>
          <th scope="col">Inbox</th>
          <th scope="col">Signatures</th>
          <th scope="col" class="number">
            Messages
          </th>
          <th scope="col">Newest</th>
          <th scope="col">Answer</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {inboxes.map((inbox) => {
          const name = toVisible(inbox.name ?? inbox.id);
          return (
            <tr key={inbox.id}>
              <th scope="row">{inbox.name === null ? <code>{inbox.id}</code> : <Text>{inbox.name}</Text>}</th>
              <td>
                {schemes.find(([id]) => id === inbox.scheme)?.[1] ?? inbox.scheme}
                {inbox.onInvalid === "RECORD" ? ", wrong ones are kept" : ""}
              </td>
              <td class="number">
                {inbox.messageCount.toLocaleString()}
                {inbox.duplicateCount === 0
                  ? ""
                  : ` (and ${inbox.duplicateCount.toLocaleString()} duplicates)`}
              </td>
              <td>
                <Time at={inbox.newestAt} none="none yet" />
              </td>
              <td>
                {inbox.status}
                {inbox.delayMs === 0 ? "" : ` after ${inbox.delayMs.toLocaleString()} ms`}
              </td>
              <td>
                <span class="buttons">
                  <button
                    aria-label={`Show the messages of ${name}`}
                    aria-pressed={inbox.id === open}
                    onClick={() => onOpen(inbox.id)}
                  >
                    Messages
                  </button>
                  <button aria-label={`Change ${name}`} onClick={() => onAsk({ kind: "change", inbox })}>
                    Change
                  </button>
                  <button
                    class="danger"
                    aria-label={`Delete ${name}`}
                    onClick={() => onAsk({ kind: "delete", inbox })}
                  >
                    Delete
                  </button>
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);
