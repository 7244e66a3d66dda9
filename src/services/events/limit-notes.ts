import type { Principal, Quota } from "../../catalog/principal.ts";
import type { LimitWatch } from "./limit-watch.ts";
import type { Publisher } from "./publish.ts";

/** For every request beyond 80 % of a quota. What tells of it is loaded by the first of an account that gets there. */
export type NoteLimit = (principal: Principal, quota: Quota, allowed: boolean) => void;

export function createLimitNotes(deps: {
  enabled: boolean;
  publisher(): Promise<Publisher>;
  onError(error: unknown): void;
}): NoteLimit {
  let watch: LimitWatch | undefined;

  async function open(): Promise<LimitWatch> {
    const { createLimitWatch } = await import("./limit-watch.ts");
    const publisher = await deps.publisher();
    // The requests that meet here share one memory of who was told.
    return (watch ??= createLimitWatch(publisher));
  }

  return ({ account, sessionId }, quota, allowed) => {
    // The window of a session is none of its account's.
    if (account === undefined || sessionId !== undefined || !deps.enabled) return;
    if (watch !== undefined) return watch.note(account, quota, allowed);
    void open().then((opened) => opened.note(account, quota, allowed), deps.onError);
  };
}
