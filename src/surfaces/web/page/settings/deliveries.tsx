import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { eventFilter, type EventType, nameOf } from "../event-types.ts";
import { gql } from "../graph.ts";
import { choiceFilter, segmentFilter } from "../ui/filters.tsx";
import type { PageProps } from "../ui/frame.tsx";
import { defineList, pageOf, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { type Delivery, pageSize, withChange } from "./delivery-changes.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { DeliveryState } from "./delivery-state.tsx";

export interface DeliveriesDeps {
  /** Returns the endpoints of the account, as far as they are known. */
  endpoints(): readonly { id: string; url: string }[];
  types: ReadonlySignal<readonly EventType[]>;
}

/** Reads the deliveries of an account, and returns what shows them as they are added, attempted and ended. */
export function useDeliveries(page: PageProps, deps: DeliveriesDeps): JSX.Element {
  const open = useSignal<Delivery | undefined>(undefined);
  const list = useList(page, () => deliveryList(deps, open));
  const walk = (by: -1 | 1): void => {
    const shown = list.resource.value.value?.deliveries?.slice(0, pageSize) ?? [];
    const next = shown[shown.findIndex(({ id }) => id === open.value?.id) + by];
    if (next !== undefined) open.value = next;
  };
  return (
    <section class="second" aria-labelledby="deliveries">
      <ListView of={list} />
      {open.value === undefined ? null : (
        <DeliveryDrawer
          of={open.value}
          url={urlOf(deps, open.value)}
          type={nameOf(deps.types.value, open.value.type)}
          graph={page.graph}
          onClose={() => (open.value = undefined)}
          onWalk={walk}
        />
      )}
    </section>
  );
}

const urlOf = ({ endpoints }: DeliveriesDeps, { endpoint }: Delivery): string =>
  endpoints().find(({ id }) => id === endpoint)?.url ?? endpoint;

/** @param open The delivery whose attempts are shown. */
const deliveryList = (deps: DeliveriesDeps, open: Signal<Delivery | undefined>) =>
  defineList({
    label: "List of deliveries",
    title: <h2 id="deliveries">Deliveries</h2>,
    caption: "Deliveries",
    document: gql(`
      query Deliveries(
        $endpoint: ID, $state: DeliveryState, $type: EventType, $since: String, $first: Int!, $after: ID
      ) {
        deliveries(
          endpoint: $endpoint, state: $state, type: $type, since: $since, first: $first, after: $after
        ) { id event type endpoint state attempts createdAt nextAt endedAt reason }
      }
    `),
    filters: {
      endpoint: choiceFilter<string>("Endpoint", [["", "All"]], (chosen) => {
        const options = deps.endpoints().map(({ id, url }) => [id, toVisible(url)] as const);
        // The chosen endpoint may have been deleted.
        const isKnown = chosen === "" || options.some(([id]) => id === chosen);
        return isKnown ? options : [...options, [chosen, chosen]];
      }),
      type: eventFilter(deps.types),
      state: segmentFilter("State", [
        ["", "All"],
        ["WAITING", "Waiting"],
        ["DELIVERED", "Delivered"],
        ["FAILED", "Failed"],
      ]),
      since: choiceFilter("Added in the last", [
        ["", "30 days"],
        ["7d", "7 days"],
        ["24h", "24 hours"],
        ["1h", "1 hour"],
      ]),
    },
    variables: (chosen, after) => ({ ...chosen, first: pageSize + 1, after }),
    rows: ({ deliveries }) => deliveries?.slice(0, pageSize) ?? [],
    idOf: ({ id }) => id,
    columns: [
      { title: "Event", cell: ({ type }) => nameOf(deps.types.value, type) },
      { title: "Endpoint", cell: (delivery) => <Text>{urlOf(deps, delivery)}</Text> },
      { title: "State", cell: (delivery) => <DeliveryState of={delivery} /> },
      { title: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
      { title: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
    ],
    open: (delivery) => (open.value = delivery),
    openLabel: ({ type, id }) => `Details of ${nameOf(deps.types.value, type)}, ${id}`,
    isOpen: ({ id }) => id === open.value?.id,
    status: ({ rows }) => (rows.length === 0 ? "No deliveries." : undefined),
    pageInfo: ({ deliveries }) => pageOf(deliveries ?? [], pageSize, ({ id }) => id),
    live({ page, resource, values, cursors }) {
      page.graph.subscribe(deliveriesSubscription, {}, ({ deliveries: changed }) => {
        const selection = { ...values.value, cursors: cursors.value };
        resource.patch(({ deliveries }) => ({
          deliveries: withChange(deliveries ?? [], changed, selection, Date.now()),
        }));
        if (open.value?.id === changed.id) open.value = changed;
      });
      // Changes during a loss of the connection are only in the list.
      resource.value.subscribe((answer) => {
        const known = answer?.deliveries?.find(({ id }) => id === open.peek()?.id);
        if (known !== undefined) open.value = known;
      });
    },
  });

const deliveriesSubscription = gql(`
  subscription Changes {
    deliveries { id event type endpoint state attempts createdAt nextAt endedAt reason }
  }
`);
