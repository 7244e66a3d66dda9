import type * as schema from "./schema.d.ts";
import { signal, type ReadonlySignal } from "@preact/signals";
import { ask } from "./server.ts";
import { choiceFilter, type Filter } from "./ui/filters.tsx";

/** An event type: its name, such as "key.issued", and its name in GraphQL. */
export interface EventType {
  name: string;
  id: schema.EventType;
  title: string;
}

/** Reads the event types of the server. The list is empty until they are there. */
export function readEventTypes(root: URL): ReadonlySignal<readonly EventType[]> {
  const types = signal<readonly EventType[]>([]);
  void read();
  return types;

  async function read(): Promise<void> {
    const url = new URL("api/events", root);
    const { value } = await ask<{ items: { type: string; title: string }[] }>(url, "GET");
    types.value = (value?.items ?? []).map(({ type, title }) => ({ name: type, id: toId(type), title }));
  }
}

const toId = (name: string): schema.EventType => name.toUpperCase().replaceAll(".", "_") as schema.EventType;

/** The name of a type by its name in GraphQL. */
export const nameOf = (types: readonly EventType[], id: string): string =>
  types.find((type) => type.id === id)?.name ?? id;

/** Selects the events of a type, or all. */
export const eventFilter = (types: ReadonlySignal<readonly EventType[]>): Filter<"" | schema.EventType> =>
  choiceFilter<"" | schema.EventType>("Event", [["", "All"]], () =>
    types.value.map(({ id, name }) => [id, name]),
  );
