import type { Principal, Quota } from "../../catalog/principal.ts";
import type { LimitWatch } from "./limit-watch.ts";
import type { Publisher } from "./publish.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Called with every decision about a quota; publishes events for accounts beyond 80 % of theirs. The rest is loaded
 * when the first account gets there.
 */
export type NoteLimit = (principal: Principal, quota: Quota, allowed: boolean) => void;

export function createLimitNotes(deps: {
  enabled: boolean;
  publisher(): Promise<Publisher>;
  runtime: Runtime;
}): NoteLimit {
  let watch: LimitWatch | undefined;

  async function open(): Promise<LimitWatch> {
    const { createLimitWatch } = await import("./limit-watch.ts");
    const publisher = await deps.publisher();
    // Concurrent callers share one record of what was published.
    return (watch ??= createLimitWatch(publisher));
  }

  return ({ account, incarnation, sessionId }, quota, allowed) => {
    // A session's window is not that of its account.
    if (account === undefined || sessionId !== undefined || !deps.enabled) return;
    const owner = { account, ...(incarnation !== undefined && { incarnation }) };
    if (watch !== undefined) return watch.note(owner, quota, allowed);
    void open().then((opened) => opened.note(owner, quota, allowed), deps.runtime.report);
  };
}
