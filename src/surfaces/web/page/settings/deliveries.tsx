import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { type EventType, nameOf } from "../event-types.ts";
import type { Graph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { Pager } from "../ui/pager.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryState } from "./delivery-state.tsx";
import { type Selection, withChange } from "./delivery-changes.ts";
import {
  deliveriesQuery,
  deliveriesSubscription,
  type Delivery,
  type Endpoint,
  pageSize,
} from "./webhooks-api.ts";

/** The deliveries that the user has chosen to see. */
export interface DeliveryList {
  page: Resource<{ deliveries: Delivery[] | null }>;
  selection: Signal<Selection>;
  /** The delivery whose attempts are shown. */
  open: Signal<Delivery | undefined>;
}

/** Reads the deliveries, and follows those that are added, attempted or ended. */
export function openDeliveries(graph: Graph): DeliveryList {
  const selection = signal<Selection>({ endpoint: "", state: "", type: "", since: "", cursors: [] });
  const open = signal<Delivery | undefined>(undefined);
  const page = openResource(graph, () => {
    const { cursors, ...filters } = selection.value;
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
    return graph.request<{ deliveries: Delivery[] | null }>(deliveriesQuery, {
      ...given,
      first: pageSize + 1,
      after: cursors.at(-1) ?? null,
    });
  });
  graph.subscribe<{ deliveries: Delivery }>(deliveriesSubscription, {}, ({ deliveries: changed }) => {
    page.patch(({ deliveries }) => ({
      deliveries: withChange(deliveries ?? [], changed, selection.value, Date.now()),
    }));
    if (open.value?.id === changed.id) open.value = changed;
  });
  // Changes during a loss of the connection are only in the list.
  page.value.subscribe((answer) => {
    const known = answer?.deliveries?.find(({ id }) => id === open.peek()?.id);
    if (known !== undefined) open.value = known;
  });
  return { page, selection, open };
}

export interface DeliveriesProps {
  list: DeliveryList;
  endpoints: readonly Endpoint[];
  types: readonly EventType[];
  graph: Graph;
}

/** The deliveries of an account, with filters. */
export function Deliveries({ list, endpoints, types, graph }: DeliveriesProps): JSX.Element {
  const { page, selection, open } = list;
  const found = page.value.value?.deliveries ?? [];
  const shown = found.slice(0, pageSize);
  const select = (changes: Partial<Selection>): void => {
    selection.value = { ...selection.value, cursors: [], ...changes };
    void page.reload();
  };
  const urlOf = (id: string): string => endpoints.find((endpoint) => endpoint.id === id)?.url ?? id;
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <Filters selection={selection.value} endpoints={endpoints} types={types} onSelect={select} />
      {shown.length === 0 ? (
        <p role="status">No deliveries.</p>
      ) : (
        <div class="scroll" role="region" aria-label="List of deliveries" tabIndex={0}>
          <table>
            <caption class="unseen">Deliveries</caption>
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">Endpoint</th>
                <th scope="col">State</th>
                <th scope="col">Added</th>
                <th scope="col" class="number">
                  Attempts
                </th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((delivery) => (
                <tr key={delivery.id}>
                  <th scope="row">{nameOf(types, delivery.type)}</th>
                  <td>
                    <Text>{urlOf(delivery.endpoint)}</Text>
                  </td>
                  <td>
                    <DeliveryState of={delivery} />
                  </td>
                  <td>
                    <Time at={delivery.createdAt} />
                  </td>
                  <td class="number">{delivery.attempts}</td>
                  <td>
                    <button
                      aria-label={`Details of ${nameOf(types, delivery.type)}, ${delivery.id}`}
                      onClick={() => (open.value = delivery)}
                    >
                      Details
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager
        cursors={selection.value.cursors}
        pageInfo={{ hasNextPage: found.length > pageSize, endCursor: shown.at(-1)?.id ?? null }}
        onGo={(cursors) => select({ cursors })}
      />
      <p role="alert">{page.message.value}</p>
      {open.value === undefined ? null : (
        <DeliveryDialog
          of={open.value}
          url={urlOf(open.value.endpoint)}
          type={nameOf(types, open.value.type)}
          graph={graph}
          onClose={() => (open.value = undefined)}
        />
      )}
    </section>
  );
}

const statesToChoose = [
  ["", "All"],
  ["WAITING", "Waiting"],
  ["DELIVERED", "Delivered"],
  ["FAILED", "Failed"],
] as const;
const spans = [
  ["", "30 days"],
  ["7d", "7 days"],
  ["24h", "24 hours"],
  ["1h", "1 hour"],
] as const;

interface FiltersProps {
  selection: Selection;
  endpoints: readonly Endpoint[];
  types: readonly EventType[];
  onSelect(changes: Partial<Selection>): void;
}

function Filters({ selection, endpoints, types, onSelect }: FiltersProps): JSX.Element {
  const choice = (
    name: "endpoint" | "state" | "type" | "since",
    label: string,
    options: readonly (readonly [string, string])[],
  ): JSX.Element => (
    <p>
      <label for={name}>{label}</label>
      <select
        id={name}
        value={selection[name]}
        onChange={({ currentTarget }) => onSelect({ [name]: currentTarget.value })}
      >
        {options.map(([id, text]) => (
          <option value={id} key={id}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
  const endpointOptions = endpoints.map(({ id, url }) => [id, toVisible(url)] as const);
  // The chosen endpoint may have been deleted.
  if (selection.endpoint !== "" && endpoints.every(({ id }) => id !== selection.endpoint))
    endpointOptions.push([selection.endpoint, selection.endpoint]);
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {choice("endpoint", "Endpoint", [["", "All"], ...endpointOptions])}
      {choice("type", "Event", [["", "All"], ...types.map(({ id, name }) => [id, name] as const)])}
      {choice("state", "State", statesToChoose)}
      {choice("since", "Added in the last", spans)}
    </form>
  );
}
