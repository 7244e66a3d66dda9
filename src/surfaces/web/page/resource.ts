import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Graph } from "./graph.ts";

/** What a page shows of the server's state. */
export interface Resource<Value> {
  /** Undefined until it was read; the last known value while the server is away. */
  readonly value: ReadonlySignal<Value | undefined>;
  /** Why the last reading failed; empty otherwise. */
  readonly message: ReadonlySignal<string>;
  /** Reads it again, after an act for example. Does not throw. */
  reload(): Promise<void>;
  /** Changes the last read value by what a subscription has told. */
  patch(change: (value: Value) => Value): void;
  /** Reads no more. */
  close(): void;
}

export interface ResourceOptions {
  /** Whether the value is read again only after a failure, or when `reload` is called. */
  isOnce?: boolean;
}

/** Each reading is a request of the session, which has 1,000 an hour. */
const freshMs = 60_000;
const retryMs = 10_000;

/**
 * Reads a value, and again once a minute while the page is visible, when the user comes back to it, after a failure, and when
 * the server answers again.
 */
export function openResource<Value>(
  graph: Graph,
  read: () => Promise<Value>,
  { isOnce = false }: ResourceOptions = {},
): Resource<Value> {
  let isClosed = false;
  const value = signal<Value | undefined>(undefined);
  const message = signal("");
  let reading: Promise<void> | undefined;
  let isStale = false;
  let readAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<void> {
    do {
      isStale = false;
      try {
        value.value = await read();
        message.value = "";
      } catch (error) {
        message.value = (error as Error).message;
      }
      readAt = Date.now();
    } while (isStale);
    reading = undefined;
    later();
  }

  function later(): void {
    clearTimeout(timer);
    if (isClosed || graph.hindrance.value === "signed-out" || (isOnce && message.value === "")) return;
    timer = setTimeout(
      () => {
        if (!document.hidden) void reload();
      },
      message.value === "" ? freshMs : retryMs,
    );
  }

  function reload(): Promise<void> {
    // A reading that has begun may not show the act before this call.
    if (reading !== undefined) isStale = true;
    return (reading ??= load());
  }

  const wake = (): void => {
    if (!isOnce && !document.hidden && Date.now() - readAt > freshMs) void reload();
  };
  document.addEventListener("visibilitychange", wake);
  let before = graph.hindrance.peek();
  const endEffect = effect(() => {
    const after = graph.hindrance.value;
    if (before !== "" && after === "" && reading === undefined) void reload();
    before = after;
  });
  void reload();
  return {
    value,
    message,
    reload,
    patch(change) {
      if (value.value !== undefined) value.value = change(value.value);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      endEffect();
    },
  };
}
