import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { eventFilter, nameOf, readEventTypes } from "../event-types.ts";
import { type DataOf, gql } from "../graph.ts";
import { Body } from "../ui/body.tsx";
import { Empty } from "../ui/empty.tsx";
import { FilterForm } from "../ui/filters.tsx";
import { type PageProps, showToOwner } from "../ui/frame.tsx";
import { Time } from "../ui/time.tsx";

type Event = DataOf<"Events">["events"];

const eventsSubscription = gql(`subscription Events { events { id type timestamp account data } }`);

/** Events kept by the page, the newest ones. */
const maxEvents = 200;

/** Shows `/settings/events`. */
export const show = (place: Element, root: URL): void => showToOwner(place, root, Events);

function Events({ graph, root }: PageProps): JSX.Element {
  const events = useSignal<readonly Event[]>([]);
  const isPaused = useSignal(false);
  /** Events that came while the list was paused. */
  const waiting = useSignal<readonly Event[]>([]);
  const values = useSignal<{ type: "" | Event["type"] }>({ type: "" });
  const types = useMemo(() => readEventTypes(root), []);
  const filters = useMemo(() => ({ type: eventFilter(types) }), [types]);
  useEffect(
    () =>
      graph.subscribe(eventsSubscription, {}, ({ events: event }) => {
        const list = isPaused.value ? waiting : events;
        list.value = [event, ...list.value].slice(0, maxEvents);
      }),
    [],
  );
  const { type } = values.value;
  const shown = events.value.filter((event) => type === "" || event.type === type);
  return (
    <>
      <FilterForm
        filters={filters}
        values={values.value}
        onSelect={(changes) => (values.value = { ...values.value, ...changes })}
      >
        <button
          type="button"
          class="small"
          onClick={() => {
            isPaused.value = !isPaused.value;
            if (isPaused.value) return;
            events.value = [...waiting.value, ...events.value].slice(0, maxEvents);
            waiting.value = [];
          }}
        >
          {isPaused.value ? `Go on (${waiting.value.length} new)` : "Pause"}
        </button>
      </FilterForm>
      {shown.length === 0 ? (
        <Empty icon="events" title="Waiting for events. This page shows those that happen while it is open.">
          <p>
            What happens while it is closed is not shown later;{" "}
            <a href={new URL("settings/webhooks", root).href}>webhooks</a> receive all of it.
          </p>
        </Empty>
      ) : (
        <p role="status" class="muted small">
          {`${shown.length} ${shown.length === 1 ? "event" : "events"}, the newest first`}
        </p>
      )}
      <ul class="events card" hidden={shown.length === 0}>
        {shown.map((event) => (
          <li key={event.id}>
            <details>
              <summary>
                <strong>{nameOf(types.value, event.type)}</strong> <Time at={event.timestamp} />
              </summary>
              <p>
                <code>{event.id}</code>
              </p>
              <Body name={`Data of ${event.id}`}>{JSON.stringify(event.data)}</Body>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
