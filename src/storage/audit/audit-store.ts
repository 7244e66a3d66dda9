import type { AuditHead } from "./line.ts";

/** A line as stored. */
export interface StoredLine {
  /** Without the line feed. */
  bytes: Uint8Array;
  /** The file and line, for a person: `audit/2026-11.jsonl:12`. */
  place: string;
  /** The line has no line feed: the process that wrote it was killed. */
  torn: boolean;
}

/** The storage of an audit trail; one implementation per driver. */
export interface AuditStore {
  /**
   * Returns the line that the next one follows. If lines are missing at the end, this is still the last line that was
   * written, so that the gap remains visible.
   */
  head(): Promise<AuditHead>;
  /**
   * Adds a line that follows `head`, and stores `next` as the new head. Returns false if the trail has gone on after
   * `head`.
   */
  add(line: string, head: AuditHead, next: AuditHead): Promise<boolean>;
  /** Oldest first. */
  lines(): AsyncIterable<StoredLine>;
  /** Returns the head stored beside the lines; undefined if it is missing. */
  storedHead(): Promise<AuditHead | undefined>;
}
