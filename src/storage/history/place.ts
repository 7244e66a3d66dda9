import { StoreError } from "../errors.ts";
import type { Answer } from "../sqlite/calls.ts";
import type { Damage, HistoryCall } from "./calls.ts";

/** The history of a folder, as the stores over it see it. */
export interface HistoryPlace {
  /** The name of the file, for errors. */
  file: string;
  call(call: HistoryCall): Promise<Answer>;
  /** Reports rows that are damaged: each is left out, and nothing else. */
  report(damage: Damage): void;
  /** @throws StoreError if the disk has no room for bulk data. */
  requireRoom(): void;
}

export const createReport =
  (file: string, onError: (error: StoreError) => void): HistoryPlace["report"] =>
  ({ damaged }) => {
    for (const what of damaged) onError(new StoreError("read", `${file} is damaged: ${what} is lost.`));
  };
