import type { Attempt, StoredEvent } from "./delivery-queue.ts";
import type { Arrival } from "./waiting.ts";

type EventHead = Omit<StoredEvent, "body">;

/**
 * A line of the journal that is no body; `at` is when it was written, epoch milliseconds. The body of an event is the
 * line before, or comes before the line before where that has the same event.
 */
export type JournalEntry = { at: number } & (
  | {
      act: "add";
      event: EventHead;
      to: [id: string, endpoint: string][];
      once?: [name: string, until: number];
    }
  /** A delivery as it is, whatever was known of it. */
  | { act: "keep"; event: EventHead; delivery: Omit<Arrival<never>, "log">; log: readonly Attempt[] }
  | { act: "wait"; id: string; endpoint: string; attempts: number; nextAt: number; attempt?: Attempt }
  | { act: "end"; ids: string[]; endpoint?: string; attempt?: Pick<Attempt, "at" | "outcome"> }
  /** Null for as long as nobody says otherwise. */
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
