import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type DataOf, gql, type Graph } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Content } from "../ui/content.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import type { Delivery } from "./delivery-changes.ts";

export interface DeliveryDialogProps {
  of: Delivery;
  url: string;
  type: string;
  graph: Graph;
  onClose(): void;
}

type Detail = DataOf<"Delivery">["delivery"];
type Attempt = NonNullable<NonNullable<Detail>["log"]>[number];

/** The attempts of a delivery, what was sent, and a button to send it again. */
export function DeliveryDialog({ of, url, type, graph, onClose }: DeliveryDialogProps): JSX.Element {
  const detail = useSignal<Detail | undefined>(undefined);
  const message = useSignal("");
  const { run: send, isBusy, message: refusal } = useAct();
  // Each attempt changes the delivery.
  useEffect(() => {
    let isOld = false;
    void read();
    return () => {
      isOld = true;
    };

    async function read(): Promise<void> {
      try {
        const answer = await graph.request(deliveryQuery, { id: of.id });
        if (isOld) return;
        detail.value = answer.delivery;
        message.value = "";
      } catch (error) {
        if (!isOld) message.value = (error as Error).message;
      }
    }
  }, [of.id, of.state, of.attempts]);
  return (
    <Dialog title={`Delivery of ${type}`} onClose={onClose}>
      <p>
        To <Text>{url}</Text>, added <Time at={of.createdAt} />. <DeliveryState of={of} />
      </p>
      <p>
        Event <code>{of.event}</code>, delivery <code>{of.id}</code>
      </p>
      <p class="actions">
        <button
          aria-disabled={isBusy.value}
          onClick={() => void send(() => graph.request(redeliverMutation, { id: of.id }))}
        >
          {of.state === "WAITING" ? "Send now" : "Send again"}
        </button>
        <button class="primary" onClick={onClose}>
          Close
        </button>
      </p>
      <p role="alert">{refusal.value || message.value}</p>
      {detail.value === null ? <p>The server no longer keeps this delivery.</p> : null}
      {!detail.value ? null : (
        <>
          <h3>Attempts</h3>
          {(detail.value.log ?? []).length === 0 ? <p>None yet.</p> : null}
          <ol>
            {detail.value.log?.map((attempt) => (
              <AttemptItem of={attempt} key={attempt.number} />
            ))}
          </ol>
          <h3>Body</h3>
          <Content name="Body">{detail.value.body ?? "It is not kept any more."}</Content>
        </>
      )}
    </Dialog>
  );
}

const outcomes = { OK: "accepted", RETRY: "failed, to be retried", REFUSED: "failed for good" };

const AttemptItem = ({ of }: { of: Attempt }): JSX.Element => (
  <li>
    <Time at={of.at} />: {of.status === null ? (of.error ?? "no answer") : `HTTP ${of.status}`},{" "}
    {outcomes[of.outcome]}, {Math.round(of.durationMs).toLocaleString()} ms
    {of.excerpt === null || of.excerpt === "" ? null : (
      <Content name={`Answer to attempt ${of.number}`}>{of.excerpt}</Content>
    )}
  </li>
);

const deliveryQuery = gql(`
  query Delivery($id: ID!) {
    delivery(id: $id) { body log { number at durationMs outcome status error excerpt } }
  }
`);
const redeliverMutation = gql(`mutation Redeliver($id: ID!) { redeliver(id: $id) { id } }`);
