import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { type DataOf, gql, type Graph } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Body } from "../ui/body.tsx";
import { Content } from "../ui/content.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { Icon } from "../ui/icon.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text } from "../ui/text.tsx";
import { ClockTime, Time } from "../ui/time.tsx";
import { Walk } from "../ui/walk.tsx";
import type { Delivery } from "./delivery-changes.ts";
import { DeliveryState } from "./delivery-state.tsx";
import { useRead } from "./use-read.ts";

export interface DeliveryDrawerProps {
  of: Delivery;
  url: string;
  type: string;
  graph: Graph;
  onClose(): void;
  /** Shows the delivery above or below in the list. */
  onWalk(by: -1 | 1): void;
}

type Detail = NonNullable<DataOf<"Delivery">["delivery"]>;
type Attempt = NonNullable<Detail["log"]>[number];

/** The attempts of a delivery, what was sent, and a button to send it again. */
export function DeliveryDrawer({ of, url, type, graph, onClose, onWalk }: DeliveryDrawerProps): JSX.Element {
  const { run: send, isBusy, message: refusal } = useAct();
  // Each attempt changes the delivery.
  const { value: detail, message } = useRead(
    async () => (await graph.request(deliveryQuery, { id: of.id })).delivery,
    [of.id, of.state, of.attempts],
  );
  return (
    <Drawer
      title={type}
      note={<DeliveryState of={of} />}
      tools={<Walk what="delivery" onWalk={onWalk} />}
      onClose={onClose}
    >
      <div class="buttons">
        <button
          class="primary"
          aria-disabled={isBusy.value}
          onClick={() => void send(() => graph.request(redeliverMutation, { id: of.id }))}
        >
          <Icon name="again" /> {of.state === "WAITING" ? "Send now" : "Send again"}
        </button>
        <span class="muted small">
          {of.nextAt === null ? (
            "No further attempt by itself."
          ) : (
            <>
              Next attempt by itself at <ClockTime at={of.nextAt} />, <Time at={of.nextAt} />.
            </>
          )}
        </span>
      </div>
      <p role="alert">{refusal.value || message.value}</p>
      <dl class="properties">
        <Property name="Endpoint" text={url} />
        <Property name="Delivery" text={of.id} />
        <Property name="Event" text={of.event} />
        <Property name="Added" text={of.createdAt}>
          <Time at={of.createdAt} />
        </Property>
      </dl>
      {detail.value === null ? <p>The server no longer keeps this delivery.</p> : null}
      {detail.value ? <Log of={detail.value} /> : null}
    </Drawer>
  );
}

/** A value with a button that copies it. */
function Property({
  name,
  text,
  children,
}: {
  name: string;
  text: string;
  children?: ComponentChildren;
}): JSX.Element {
  const value = useRef<HTMLElement>(null);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code ref={value}>{children ?? <Text>{text}</Text>}</code>
        <CopyButton title={name} class="quiet small" source={() => value.current} text={text} />
      </dd>
    </div>
  );
}

/** The attempts, and the request and the answer of one of them. */
function Log({ of }: { of: Detail }): JSX.Element {
  const log = of.log ?? [];
  const tab = useSignal("body");
  /** The attempt whose headers and answer are shown; the newest at first. */
  const chosen = useSignal<string | undefined>(undefined);
  const shown = log.find(({ at }) => at === chosen.value) ?? log.at(-1);
  const id = useId();
  return (
    <>
      <section aria-labelledby={`${id}-attempts`}>
        <h3 id={`${id}-attempts`}>
          {log.length === 1 ? "1 attempt" : `${log.length.toLocaleString()} attempts`}
        </h3>
        <ol class="attempts">
          {log.toReversed().map((attempt) => (
            <li key={attempt.at}>
              <button
                type="button"
                class="opener"
                aria-pressed={attempt === shown}
                onClick={() => (chosen.value = attempt.at)}
              >
                <Outcome of={attempt} /> <ClockTime at={attempt.at} />
              </button>
              <span class="muted small">{Math.round(attempt.durationMs).toLocaleString()} ms</span>
            </li>
          ))}
        </ol>
      </section>
      <section aria-label="Request and answer">
        <Tabs
          label="Request and answer"
          tabs={[
            { id: "body", label: "Body" },
            ...(shown === undefined
              ? []
              : [
                  { id: "headers", label: "Headers" },
                  { id: "answer", label: "Answer" },
                ]),
          ]}
          chosen={tab.value}
          panel={id}
          onChoose={(next) => (tab.value = next)}
        />
        <div role="tabpanel" id={id} aria-labelledby={`${id}-${tab.value}`}>
          {tab.value === "headers" && shown !== undefined ? (
            <Headers of={shown} />
          ) : tab.value === "answer" && shown !== undefined ? (
            <Answer of={shown} />
          ) : (
            <Body name="Body">{of.body ?? "It is not kept any more."}</Body>
          )}
        </div>
      </section>
    </>
  );
}

const outcomes = { OK: "accepted", RETRY: "failed, to be retried", REFUSED: "failed for good" };

const Outcome = ({ of: { outcome, status, error } }: { of: Attempt }): JSX.Element => (
  <Tag tone={outcome === "OK" ? "ok" : "bad"}>
    {status === null ? (error ?? "no answer").replaceAll("_", " ") : `HTTP ${status}`}
    <span class="unseen">, {outcomes[outcome]}</span>
  </Tag>
);

const Headers = ({ of: { headers } }: { of: Attempt }): JSX.Element => (
  <>
    <Content name="Headers">{headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</Content>
    <p class="hint">
      Beside them, each attempt has signatures, which are not kept: x-signature and webhook-signature.
    </p>
  </>
);

const Answer = ({ of: { status, error, excerpt, outcome } }: { of: Attempt }): JSX.Element => (
  <>
    <p>
      {status === null ? (error ?? "No answer").replaceAll("_", " ") : `HTTP ${status}`}, {outcomes[outcome]}
    </p>
    {excerpt === null || excerpt === "" ? (
      <p class="hint">The answer had no body.</p>
    ) : (
      <Content name="Beginning of the answer">{excerpt}</Content>
    )}
  </>
);

const deliveryQuery = gql(`
  query Delivery($id: ID!) {
    delivery(id: $id) {
      body
      log { number at durationMs outcome status error excerpt headers { name value } }
    }
  }
`);
const redeliverMutation = gql(`mutation Redeliver($id: ID!) { redeliver(id: $id) { id } }`);
