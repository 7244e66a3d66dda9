import { StatementSync } from "node:sqlite";
import { onTestFinished, vi } from "vitest";

/** Has every read of a record in this process fail as on a broken disk, until the function that it returns is called. */
export function breakReads(): () => void {
  const get = vi.spyOn(StatementSync.prototype, "get").mockImplementation(() => {
    throw Object.assign(new Error("disk I/O error"), { errcode: 10 });
  });
  const repair = (): void => get.mockRestore();
  onTestFinished(repair);
  return repair;
}
