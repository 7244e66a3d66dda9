import type { Attempt, StoredEvent } from "./delivery-queue.ts";
import type { Arrival } from "./waiting.ts";

type EventHead = Omit<StoredEvent, "body">;

/**
 * A line of the journal that is not a body; `at` is when it was written, in epoch milliseconds. The body of an event is
 * on the line before, or before earlier entries of the same event.
 */
export type JournalEntry = { at: number } & (
  | {
      act: "add";
      event: EventHead;
      to: [id: string, endpoint: string][];
      once?: [name: string, until: number];
    }
  /** The complete state of a delivery, replacing what was known of it. */
  | { act: "keep"; event: EventHead; delivery: Omit<Arrival<never>, "log">; log: readonly Attempt[] }
  | { act: "wait"; id: string; endpoint: string; attempts: number; nextAt: number; attempt?: Attempt }
  | { act: "end"; ids: string[]; endpoint?: string; attempt?: Pick<Attempt, "at" | "outcome"> }
  /** Null: until the next entry. */
  | { act: "hold"; endpoint: string; until: number | null }
  | {
      act: "health";
      endpoint: string;
      failures: number;
      failingSince?: number;
      lastFailureAt: number;
    }
  | { act: "once"; name: string; until: number }
);
