import type { AuditHead } from "./line.ts";

/** A line as it was found. */
export interface StoredLine {
  /** Without its line feed. */
  bytes: Uint8Array;
  /** Where, for a person: `audit/2026-11.jsonl:12`. */
  place: string;
  /** It has no line feed: the process that wrote it was killed in the middle. */
  torn: boolean;
}

/** What each driver keeps a trail on. */
export interface AuditStore {
  /**
   * What the next line follows. Where lines are missing at the end this is still the line that was written last, so that
   * the gap stays to be seen.
   */
  head(): Promise<AuditHead>;
  /** Adds a line that follows `head`, and keeps `next` beside it; false where the trail goes on after `head` already. */
  add(line: string, head: AuditHead, next: AuditHead): Promise<boolean>;
  /** The oldest first. */
  lines(): AsyncIterable<StoredLine>;
  /** What is kept beside the lines of the last one; undefined where that is gone, or was never there. */
  storedHead(): Promise<AuditHead | undefined>;
}
