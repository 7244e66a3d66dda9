import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { type EventType, nameOf, readEventTypes } from "../event-types.ts";
import { gql, type Graph, openGraph } from "../graph.ts";
import { Content } from "../ui/content.tsx";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { Time } from "../ui/time.tsx";

interface Event {
  id: string;
  type: string;
  timestamp: string;
  account: string;
  data: unknown;
}

const eventsSubscription = gql`
  subscription Events {
    events {
      id
      type
      timestamp
      account
      data
    }
  }
`;

/** Events kept by the page, the newest ones. */
const most = 200;

interface State {
  events: Signal<readonly Event[]>;
  type: Signal<string>;
  isPaused: Signal<boolean>;
  /** Events that came while the list was paused. */
  waiting: Signal<readonly Event[]>;
}

/** Shows `/settings/events`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const types = readEventTypes(root);
  const state: State = {
    events: signal([]),
    type: signal(""),
    isPaused: signal(false),
    waiting: signal([]),
  };
  graph.subscribe<{ events: Event }>(eventsSubscription, {}, ({ events: event }) => {
    const list = state.isPaused.value ? state.waiting : state.events;
    list.value = [event, ...list.value].slice(0, most);
  });
  const Page = (): JSX.Element => <Events graph={graph} root={root} types={types.value} state={state} />;
  render(<Page />, place);
}

interface EventsProps {
  graph: Graph;
  root: URL;
  types: readonly EventType[];
  state: State;
}

function Events({ graph, root, types, state }: EventsProps): JSX.Element {
  const { events, type, isPaused, waiting } = state;
  const shown = events.value.filter((event) => type.value === "" || event.type === type.value);
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <p>
          <label for="type">Event</label>
          <select
            id="type"
            value={type.value}
            onChange={({ currentTarget }) => (type.value = currentTarget.value)}
          >
            <option value="">All</option>
            {types.map(({ id, name }) => (
              <option value={id} key={id}>
                {name}
              </option>
            ))}
          </select>
        </p>
        <p class="bottom">
          <button
            type="button"
            onClick={() => {
              isPaused.value = !isPaused.value;
              if (isPaused.value) return;
              events.value = [...waiting.value, ...events.value].slice(0, most);
              waiting.value = [];
            }}
          >
            {isPaused.value ? `Go on (${waiting.value.length} new)` : "Pause"}
          </button>
        </p>
      </form>
      <p role="status">
        {shown.length === 0
          ? "Waiting for events. This page shows those that happen while it is open."
          : `${shown.length} ${shown.length === 1 ? "event" : "events"}, the newest first`}
      </p>
      <ul class="events">
        {shown.map((event) => (
          <li key={event.id}>
            <details>
              <summary>
                <strong>{nameOf(types, event.type)}</strong> <Time at={event.timestamp} />
              </summary>
              <p>
                <code>{event.id}</code>
              </p>
              <Content name={`Data of ${event.id}`}>{JSON.stringify(event.data, null, 2)}</Content>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
