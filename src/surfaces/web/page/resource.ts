import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { keepFocus } from "./focus.ts";
import type { Graph } from "./graph.ts";
import { createPace } from "./pace.ts";
import { isPresent, onReturn } from "./presence.ts";

/** A part of the server's state that a page shows. */
export interface Resource<Value> {
  /** Undefined until it was read; the last known value while the server is away. */
  readonly value: ReadonlySignal<Value | undefined>;
  /** The reason why the last reading failed; empty otherwise. */
  readonly message: ReadonlySignal<string>;
  /** Reads it again, after an act of the user for example. Does not throw. */
  reload(): Promise<void>;
  /** Reads it again soon, because a subscription reported a change. There may be many. */
  refresh(): void;
  /** Changes the last read value by what a subscription has told. */
  patch(change: (value: Value) => Value): void;
  /** Reads no more. */
  close(): void;
}

export interface ResourceOptions {
  /** Whether the value is read again only after a failure, or when `reload` is called. */
  isOnce?: boolean;
}

/**
 * Reads a value, and again once a minute while the user is present, when the user comes back to it, after a failure, and when
 * the server answers again.
 */
export function openResource<Value>(
  graph: Graph,
  read: () => Promise<Value>,
  { isOnce = false }: ResourceOptions = {},
): Resource<Value> {
  const value = signal<Value | undefined>(undefined);
  const message = signal("");
  let reading: Promise<void> | undefined;
  let isStale = false;
  const pace = createPace({ read: () => void reload(), isPresent, isOnce });

  async function load(): Promise<void> {
    do {
      isStale = false;
      pace.began();
      try {
        show(await read());
        message.value = "";
      } catch (error) {
        message.value = (error as Error).message;
      }
    } while (isStale);
    reading = undefined;
    pace.ended(message.value !== "");
  }

  function show(next: Value): void {
    // What has the focus may not be in the next state.
    if (document.activeElement !== document.body) keepFocus();
    value.value = next;
  }

  function reload(): Promise<void> {
    // A reading that has begun may not show the act before this call.
    if (reading !== undefined) isStale = true;
    return (reading ??= load());
  }

  const endReturns = onReturn(pace.returned);
  let before = graph.hindrance.peek();
  const endEffect = effect(() => {
    const after = graph.hindrance.value;
    if (after === "signed-out") pace.stop();
    else if (after !== before) pace.changed();
    before = after;
  });
  void reload();
  return {
    value,
    message,
    reload,
    refresh: pace.changed,
    patch(change) {
      if (value.value !== undefined) show(change(value.value));
    },
    close() {
      pace.stop();
      endReturns();
      endEffect();
    },
  };
}
