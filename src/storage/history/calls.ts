import type { UsageBatch } from "../usage/usage-store.ts";
import type { EndedBounds, EndedRow } from "./ended-rows.ts";
import type { UsagePlace } from "./usage-rows.ts";

/** A call of a store to its history, which another thread may perform. */
export type HistoryCall =
  /** Adds a batch, unless it was added last. Returns a `Damage`. */
  | { act: "addUsage"; batch: UsageBatch }
  /** Returns a `UsagePage`. */
  | { act: "usage"; from: number; until: number; account: string | undefined; after: UsagePlace | undefined }
  | { act: "putUses"; uses: readonly Use[] }
  | { act: "removeUses"; ids: readonly string[] }
  /** Returns a `UsePage`: of these ids, or of all after `after`. */
  | { act: "uses"; ids: readonly string[] | undefined; after: string }
  | { act: "addEnded"; rows: readonly EndedRow[] }
  /** Returns an `EndedText`; null if there is no such row. */
  | { act: "ended"; id: Uint8Array }
  /** Returns an `EndedPage`. */
  | { act: "endedPage"; bounds: EndedBounds }
  | { act: "hasEnded"; event: string }
  /** Removes some of the rows that ended at or before `until`. Returns whether none is left. */
  | { act: "forgetEnded"; until: number };

/** The last use of a key or session: its id, and the minute since 1970. */
export type Use = readonly [id: string, minute: number];

/** The rows of a page whose checksum does not fit, in words for the operator. They are left out. */
export interface Damage {
  damaged: string[];
}

const writes: ReadonlySet<HistoryCall["act"]> = new Set([
  "addUsage",
  "putUses",
  "removeUses",
  "addEnded",
  "forgetEnded",
]);

export const isHistoryWrite = ({ act }: HistoryCall): boolean => writes.has(act);
