import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { type DataOf, gql, type Graph } from "../graph.ts";
import { Body } from "../ui/body.tsx";
import { Content } from "../ui/content.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { Walk } from "../ui/walk.tsx";
import { toCurl } from "./message-curl.ts";
import { useRead } from "./use-read.ts";

export type MessageHead = DataOf<"Received">["inboxEvents"];
type Message = NonNullable<NonNullable<DataOf<"Message">["inbox"]>["message"]>;

export interface MessageDetailProps {
  of: MessageHead;
  inbox: string;
  graph: Graph;
  root: URL;
  /** Shows the message above or below in the list. */
  onWalk(by: -1 | 1): void;
}

/** A message of an inbox: its headers and its body, as they were received. */
export function MessageDetail({ of, inbox, graph, root, onWalk }: MessageDetailProps): JSX.Element {
  const { value: whole, message } = useRead(
    async () => (await graph.request(messageQuery, { inbox, id: of.id })).inbox?.message ?? null,
    [of.id],
  );
  return (
    <>
      <header>
        <h3>{of.type === null ? "Message" : <Text>{of.type}</Text>}</h3>
        <Verdict of={of.signature} />
        <span class="buttons end">
          <Walk what="message" onWalk={onWalk} />
        </span>
      </header>
      <div class="in second">
        <p class="muted small">
          <code>{of.id}</code>, received <Time at={of.at} />
        </p>
        <p role="alert">{message.value}</p>
        {whole.value === null ? <p>The inbox no longer keeps this message.</p> : null}
        {whole.value ? (
          <Whole of={whole.value} url={new URL(`inbox/${inbox}`, root).href} key={of.id} />
        ) : null}
      </div>
    </>
  );
}

/** Headers and body as they were received. */
function Whole({ of, url }: { of: Message; url: string }): JSX.Element {
  const tab = useSignal("body");
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const lines = [
    `${of.method} ${of.query}`.trimEnd(),
    ...of.headers.map(({ name, value }) => `${name}: ${value}`),
  ];
  return (
    <>
      <div class="lines-head">
        <Tabs
          label="Parts of the message"
          tabs={[
            { id: "body", label: "Body" },
            { id: "headers", label: "Headers" },
          ]}
          chosen={tab.value}
          panel={id}
          onChoose={(next) => (tab.value = next)}
        />
        <CopyButton
          title="the message"
          label="Copy as curl"
          class="quiet small end"
          source={() => panel.current}
          text={() => toCurl(of, url)}
        />
      </div>
      <div role="tabpanel" id={id} aria-labelledby={`${id}-${tab.value}`} ref={panel}>
        {tab.value === "headers" ? (
          <Content name="Headers">{lines.join("\n")}</Content>
        ) : (
          <>
            {of.body === null ? <p class="hint">It is not text, so it is in Base64.</p> : null}
            <Body name="Body">{of.body ?? of.bodyBase64}</Body>
          </>
        )}
      </div>
    </>
  );
}

const verdicts = { VALID: "valid", INVALID: "invalid", UNCHECKED: "not checked" };
const tones = { VALID: "ok", INVALID: "bad", UNCHECKED: "neutral" } as const;

/** Shows the result of verifying the signature of a message. */
export const Verdict = ({ of }: { of: MessageHead["signature"] }): JSX.Element => (
  <Tag tone={tones[of]}>{verdicts[of]}</Tag>
);

const messageQuery = gql(`
  query Message($inbox: ID!, $id: ID!) {
    inbox(id: $inbox) { message(id: $id) { method query headers { name value } body bodyBase64 } }
  }
`);
