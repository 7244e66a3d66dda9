import { noCounts, type UsageRow } from "../../../../src/storage/usage/usage-store.ts";

/** A row of usage with the given counts, the others zero. */
export const usageRow = (
  account: string,
  key: string,
  tool: string,
  changes: Partial<UsageRow> = {},
): UsageRow => ({ ...noCounts(), account, key, tool, ...changes });
