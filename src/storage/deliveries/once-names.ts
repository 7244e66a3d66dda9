import type { Once } from "./delivery-queue.ts";

/** The names of events that are published once, with their expiry. */
export interface OnceNames {
  was(name: string, at: number): boolean;
  remember(once: Once): void;
  all(): Iterable<Once>;
  /** Removes expired names. */
  forget(at: number): void;
}

export function createOnceNames(): OnceNames {
  const names = new Map<string, number>();
  return {
    was: (name, at) => (names.get(name) ?? 0) > at,
    remember: ({ name, until }) => void names.set(name, until),
    *all() {
      for (const [name, until] of names) yield { name, until };
    },
    forget(at) {
      for (const [name, until] of names) if (until <= at) names.delete(name);
    },
  };
}
