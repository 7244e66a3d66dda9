import { StoreError } from "../errors.ts";

/** The first line of a segment and of a log of ended deliveries; the number is its version. */
export const headerLine = "penknife-deliveries 1\n";

/** @throws StoreError for a file of a newer release. */
export function checkHeader(path: string, line: string): void {
  const [, version] = /^penknife-deliveries (\d+)$/.exec(line) ?? [];
  if (version === undefined || version === "1") return;
  throw new StoreError(
    "open",
    `${path} was written by a newer release of penknife (version ${version}, this one reads 1). Start that release, or move the file away: its deliveries are then not sent.`,
  );
}
