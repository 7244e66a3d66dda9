import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { endSubscription, gql } from "../graph.ts";
import { type PageProps, showToOwner } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { change, create, type Inbox, remove, schemes } from "./inbox-questions.tsx";
import { Messages } from "./messages.tsx";

/** Shows `/settings/inboxes`. */
export const show = (place: Element, root: URL): void => showToOwner(place, root, Inboxes);

function Inboxes(page: PageProps): JSX.Element {
  const open = useSignal("");
  const list = useList(page, () => inboxList(open));
  const shown = list.resource.value.value?.inboxes?.find(({ id }) => id === open.value);
  return (
    <ListView of={list}>
      {shown && <Messages key={shown.id} of={shown} page={page} onReceived={list.resource.refresh} />}
    </ListView>
  );
}

const nameOf = ({ id, name }: Inbox): string => toVisible(name ?? id);

/** @param open The id of the inbox whose messages are shown. */
const inboxList = (open: Signal<string>) =>
  defineList({
    label: "List of inboxes",
    caption: "Inboxes",
    document: gql(`
      query Inboxes {
        viewer { account { name } }
        inboxes {
          id name scheme onInvalid status body delayMs createdAt messageCount duplicateCount newestAt
        }
      }
    `),
    rows: ({ inboxes }) => inboxes ?? [],
    idOf: ({ id }) => id,
    columns: [
      { title: "Inbox", cell: ({ id, name }) => (name === null ? <code>{id}</code> : <Text>{name}</Text>) },
      {
        title: "Signatures",
        cell: ({ scheme, onInvalid }) => (
          <>
            {schemes.find(([id]) => id === scheme)?.[1]}
            {onInvalid === "RECORD" ? ", wrong ones are kept" : ""}
          </>
        ),
      },
      {
        title: "Messages",
        isNumber: true,
        cell: ({ messageCount, duplicateCount }) => (
          <>
            {messageCount.toLocaleString()}
            {duplicateCount === 0 ? "" : ` (and ${duplicateCount.toLocaleString()} duplicates)`}
          </>
        ),
      },
      { title: "Newest", cell: ({ newestAt }) => <Time at={newestAt} none="none yet" /> },
      {
        title: "Answer",
        cell: ({ status, delayMs }) => (
          <>
            {status}
            {delayMs === 0 ? "" : ` after ${delayMs.toLocaleString()} ms`}
          </>
        ),
      },
    ],
    nameOf: (inbox) => nameOf(inbox),
    open: ({ id }) => (open.value = id),
    openLabel: (inbox) => `Show the messages of ${nameOf(inbox)}`,
    isOpen: ({ id }) => id === open.value,
    actions(inbox) {
      const name = nameOf(inbox);
      return [
        { text: "Change …", icon: "edit", label: `Change ${name}`, ask: () => change(inbox) },
        {
          text: "Delete …",
          icon: "delete",
          label: `Delete ${name}`,
          isDanger: true,
          ask: () => remove(inbox),
        },
      ];
    },
    empty: {
      icon: "inboxes",
      text: "An inbox is a URL that receives the webhooks of others, such as GitHub or Stripe, and verifies their signatures. You see each message here, and a program on your machine can receive it.",
    },
    status: ({ data, rows }) => (data && rows.length === 0 ? "This account has no inboxes yet." : undefined),
    account: ({ viewer }) => viewer.account,
    what: "inboxes",
    main: { text: "Create an inbox", onClick: ({ ask }) => ask(create) },
    live: ({ page, resource }) => void page.graph.subscribe(endSubscription, {}, resource.refresh),
  });
