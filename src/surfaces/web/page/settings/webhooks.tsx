import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { type EventType, readEventTypes } from "../event-types.ts";
import { type Graph, openGraph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { type DeliveryList, Deliveries, openDeliveries } from "./deliveries.tsx";
import { type Asked, EndpointDialogs } from "./endpoint-dialogs.tsx";
import { EndpointTable } from "./endpoint-table.tsx";
import { disabledSubscription, type EndpointsAnswer, endpointsQuery } from "./webhooks-api.ts";

interface Page {
  graph: Graph;
  root: URL;
  endpoints: Resource<EndpointsAnswer>;
  deliveries: DeliveryList;
  types: readonly EventType[];
  asked: Signal<Asked | undefined>;
}

/** Shows `/settings/webhooks`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const endpoints = openResource(graph, () => graph.request<EndpointsAnswer>(endpointsQuery));
  const deliveries = openDeliveries(graph);
  const types = readEventTypes(root);
  const asked = signal<Asked | undefined>(undefined);
  const Webhooks = (): JSX.Element => (
    <Content
      graph={graph}
      root={root}
      endpoints={endpoints}
      deliveries={deliveries}
      types={types.value}
      asked={asked}
    />
  );
  render(<Webhooks />, place);
  graph.subscribe(disabledSubscription, {}, endpoints.refresh);
}

function Content({ graph, root, endpoints, deliveries, types, asked }: Page): JSX.Element {
  const answer = endpoints.value.value;
  const account = answer?.viewer.account;
  const list = answer?.webhookEndpoints ?? [];
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {account === null ? (
        <p class="lead">The session of the operator belongs to no account, so it has no webhooks.</p>
      ) : (
        <>
          <p class="actions">
            <button
              class="primary"
              aria-disabled={account === undefined}
              onClick={() => {
                if (account !== undefined) asked.value = { kind: "create" };
              }}
            >
              Add an endpoint
            </button>
          </p>
          {answer === undefined ? null : list.length === 0 ? (
            <p role="status">This account has no endpoints yet.</p>
          ) : (
            <EndpointTable
              endpoints={list}
              types={types}
              graph={graph}
              onChange={() => void endpoints.reload()}
              onAsk={(next) => (asked.value = next)}
            />
          )}
          {answer === undefined ? null : (
            <Deliveries list={deliveries} endpoints={list} types={types} graph={graph} />
          )}
        </>
      )}
      <p role="alert">{endpoints.message.value}</p>
      {asked.value === undefined ? null : (
        <EndpointDialogs
          key={asked.value.kind}
          asked={asked.value}
          graph={graph}
          types={types}
          onAsk={(next) => {
            asked.value = next;
            void endpoints.reload();
          }}
        />
      )}
    </>
  );
}
