/** Listeners for new messages, by inbox. */
export interface Listeners {
  add(inbox: string, listener: () => void): () => void;
  /** Calls the listeners of this inbox. */
  notify(inbox: string): void;
}

export function createListeners(): Listeners {
  const all = new Map<string, Set<() => void>>();
  return {
    add(inbox, listener) {
      // A new function for each call, so that the same listener may be added twice.
      const own = (): void => listener();
      const known = all.get(inbox) ?? new Set();
      all.set(inbox, known.add(own));
      return () => {
        known.delete(own);
        if (known.size === 0 && all.get(inbox) === known) all.delete(inbox);
      };
    },
    notify(inbox) {
      for (const listener of all.get(inbox) ?? []) listener();
    },
  };
}
