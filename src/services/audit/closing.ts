import { ToolError } from "../../catalog/errors.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Person } from "../../catalog/principal.ts";
import { recordIdOf } from "../access/key-format.ts";
import { StoreError } from "../../storage/errors.ts";
import type { KeyRecord, SessionRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import { toUnavailable } from "../../storage/unavailable.ts";
import type { Services } from "./acts.ts";

/** Acts that close access. They are carried out even if the store has no room for anything else. */
export const closing: ReadonlySet<string> = new Set([
  "keys.revoke",
  "keys.revokeAll",
  "accounts.disable",
  "accounts.delete",
  "sessions.revoke",
  "sessions.revokeAll",
]);

/**
 * Carries out an act that could not be written in the memory of this server only. Returns a text that says what is now
 * refused.
 */
export type CloseInMemory = (
  operation: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<string | undefined>;

export function createCloseInMemory(
  store: Pick<Store, "accounts" | "keys" | "sessions">,
  { keys, accounts, sessions }: Pick<Services, "keys" | "accounts" | "sessions">,
  now: () => number,
): CloseInMemory {
  function revoke(records: readonly KeyRecord[]): string | undefined {
    const live = records.filter(({ revokedAt }) => revokedAt === undefined);
    const revokedAt = toInstant(now());
    for (const record of live) store.keys.overrule(recordIdOf(record.hash), { ...record, revokedAt });
    if (live.length === 0) return undefined;
    return live.length === 1 ? `The key ${live[0]?.id}` : `${live.length} keys`;
  }

  function endSessions(records: readonly SessionRecord[]): string | undefined {
    const live = records.filter(({ revokedAt }) => revokedAt === undefined);
    const revokedAt = toInstant(now());
    for (const record of live) store.sessions.overrule(recordIdOf(record.hash), { ...record, revokedAt });
    if (live.length === 0) return undefined;
    return live.length === 1 ? `The session ${live[0]?.id}` : `${live.length} sessions`;
  }

  return async (operation, { id, name, account, person }) => {
    switch (operation) {
      case "keys.revoke":
        return revoke([await keys.get(String(id))]);
      case "keys.revokeAll":
        return revoke(await keys.live(String(account)));
      case "accounts.disable": {
        const record = await accounts.get(String(name));
        if (record.disabled) return undefined;
        store.accounts.overrule(record.name, { ...record, disabled: true });
        return `The account ${record.name}`;
      }
      case "sessions.revoke":
        return endSessions([await sessions.get(String(id))]);
      case "sessions.revokeAll":
        return endSessions(await sessions.live(person as Person, account as string | undefined));
      default:
        return undefined;
    }
  };
}

/** Returns the fault of the store that caused a refusal, if there is one. */
export const faultOf = (error: unknown): StoreError | undefined => {
  const cause = error instanceof ToolError ? error.cause : error;
  return cause instanceof StoreError ? cause : undefined;
};

/** Makes the error for an act that took effect in memory but could not be written. */
export function toUnwritten(fault: StoreError, what: string): ToolError {
  const { verb, pronoun } = /^\d/.test(what)
    ? { verb: "are", pronoun: "they" }
    : { verb: "is", pronoun: "it" };
  const so = `${what} ${verb} refused by this server from now on, but ${pronoun} could not be written: after a restart ${pronoun} would work again. Repeat this when the store can be written.`;
  const refusal = toUnavailable(new StoreError(fault.operation, `${fault.reason} ${so}`, fault));
  refusal.message = so;
  return refusal;
}
